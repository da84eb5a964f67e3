import { html } from 'lit-html';
import parse, { NodeType } from 'slack-message-parser';
import { formatSlackDate } from './date-format.js';
import { emojiOf } from './emoji.js';
import { frame, state, userOf } from './store.js';

/** Slack's mrkdwn as markup. Everything that is text stays text: lit-html escapes it. */

/** @typedef {import('slack-message-parser').Node} Node */

/**
 * @param {string} text
 * @param {{ verbatim?: boolean }} [options] verbatim: bare addresses are not made links
 */
export function mrkdwn(text, { verbatim = false } = {}) {
  return renderNode(parse(text), verbatim);
}

/** @param {Node} node @param {boolean} verbatim @returns {unknown} */
function renderNode(node, verbatim) {
  const inner = () =>
    'children' in node && node.children.map((child) => renderNode(child, verbatim));
  switch (node.type) {
    case NodeType.Root:
      return inner();
    case NodeType.Text:
      return verbatim ? decode(node.text) : linkify(decode(node.text));
    case NodeType.Bold:
      return html`<b>${inner()}</b>`;
    case NodeType.Italic:
      return html`<i>${inner()}</i>`;
    case NodeType.Strike:
      return html`<s>${inner()}</s>`;
    case NodeType.Quote:
      return html`<blockquote>${inner()}</blockquote>`;
    case NodeType.Code:
      return html`<code>${decode(node.text)}</code>`;
    case NodeType.PreText:
      return html`<pre><code>${decode(node.text)}</code></pre>`;
    case NodeType.Emoji:
      return emoji(node.name, node.source);
    case NodeType.URL:
      return link(
        decode(node.url),
        node.label === undefined
          ? decode(node.url)
          : node.label.map((child) => renderNode(child, true)),
      );
    case NodeType.UserLink:
      return userMention(node.userID);
    case NodeType.ChannelLink:
      return channelMention(node.channelID);
    case NodeType.Command:
      return command(node.name, node.arguments, labelText(node.label));
    default:
      return decode(/** @type {Node} */ (node).source);
  }
}

/** The only three characters that Slack escapes. @param {string} text */
export function decode(text) {
  return text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
}

/** @param {string} url @param {unknown} label */
export function link(url, label) {
  if (!/^(https?|mailto|tel):/i.test(url)) return label;
  return html`<a href=${url} target="_blank" rel="noreferrer noopener">${label}</a>`;
}

/** @param {string} text */
function linkify(text) {
  const parts = text.split(/(https?:\/\/[^\s<>]*[^\s<>.,;:!?)'"\]])/);
  return parts.map((part, index) => (index % 2 === 1 ? link(part, part) : part));
}

/** @param {string} name @param {string} source shown when nobody knows the name */
export function emoji(name, source = `:${name}:`) {
  const character = emojiOf(name);
  return character === undefined
    ? source
    : html`<span class="emoji" role="img" aria-label=${name.replace(/_/g, ' ')}>${character}</span>`;
}

/** @param {string} id */
export function userMention(id) {
  const name = userOf(id)?.name ?? id;
  return html`<span class=${id === frame().me ? 'mention mine' : 'mention'}>@${name}</span>`;
}

/** @param {string} id */
export function channelMention(id) {
  const channel = state.channels.get(id);
  if (channel === undefined) return html`<span class="mention">a private channel</span>`;
  return html`<a class="mention" href="/archives/${id}">#${channel.name}</a>`;
}

/** @param {string} id */
export function userGroupMention(id) {
  const handle = frame().userGroups.find((group) => group.id === id)?.handle ?? id;
  return html`<span class="mention">@${handle}</span>`;
}

/** `<!here>`, `<!subteam^S…>`, `<!date^…>`. @param {string} name @param {string[]} words @param {string} label */
function command(name, words, label) {
  if (name === 'subteam') return userGroupMention(words[0] ?? '');
  if (name === 'date') {
    const [seconds = '0', format = '', url] = words;
    const shown = formatSlackDate(Number(seconds), decode(format));
    const time = html`<time datetime=${new Date(Number(seconds) * 1000).toISOString()} title=${label}>${shown}</time>`;
    return url === undefined ? time : link(decode(url), time);
  }
  if (['here', 'channel', 'everyone'].includes(name)) {
    return html`<span class="mention mine">@${name}</span>`;
  }
  return label || `<!${name}>`;
}

/** @param {Node[] | undefined} label */
function labelText(label) {
  return decode((label ?? []).map(({ source }) => source).join(''));
}
