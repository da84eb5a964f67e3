import { html } from 'lit-html';
import { formatSlackDate } from './date-format.js';
import { channelMention, emoji, link, userGroupMention, userMention } from './mrkdwn.js';

/** Rich text blocks: text that no character of is read as a mark. */

/** @param {{ elements: any[] }} block */
export function richText({ elements }) {
  return html`<div class="rich-text">${elements.map(part)}</div>`;
}

/** @param {any} element @returns {unknown} */
function part(element) {
  const { type, elements } = element;
  if (type === 'rich_text_preformatted') return html`<pre><code>${elements.map(run)}</code></pre>`;
  if (type === 'rich_text_quote') return html`<blockquote>${elements.map(run)}</blockquote>`;
  if (type === 'rich_text_section') return html`<p>${elements.map(run)}</p>`;
  const items = elements.map((/** @type {any} */ item) => html`<li>${item.elements.map(run)}</li>`);
  return element.style === 'ordered'
    ? html`<ol start=${(element.offset ?? 0) + 1}>${items}</ol>`
    : html`<ul>${items}</ul>`;
}

/** @param {any} element */
function run(element) {
  return styled(plainRun(element), element.style ?? {});
}

/** @param {any} element @returns {unknown} */
function plainRun(element) {
  switch (element.type) {
    case 'text':
      return element.text;
    case 'link':
      return link(element.url, element.text || element.url);
    case 'emoji':
      return emoji(element.name);
    case 'user':
      return userMention(element.user_id);
    case 'usergroup':
      return userGroupMention(element.usergroup_id);
    case 'channel':
      return channelMention(element.channel_id);
    case 'broadcast':
      return html`<span class="mention mine">@${element.range}</span>`;
    case 'date':
      return formatSlackDate(element.timestamp, element.format);
    case 'color':
      return html`<code>${element.value}</code>`;
    default:
      return '';
  }
}

/** @param {unknown} content @param {Record<string, boolean>} style */
function styled(content, { bold, italic, strike, code }) {
  let shown = content;
  if (code) shown = html`<code>${shown}</code>`;
  if (strike) shown = html`<s>${shown}</s>`;
  if (italic) shown = html`<i>${shown}</i>`;
  if (bold) shown = html`<b>${shown}</b>`;
  return shown;
}
