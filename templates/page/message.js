import { html, nothing } from 'lit-html';
import { blankFile, blocks } from './blocks.js';
import { ago, dateOf, timeOf } from './date-format.js';
import { addressOf } from './elements.js';
import { emojiOf } from './emoji.js';
import * as icons from './icons.js';
import { mrkdwn } from './mrkdwn.js';
import { openThread } from './navigation.js';
import { act } from './server.js';
import { change, frame, remark, state, userOf } from './store.js';

/** @typedef {import('./types.js').Message} Message */

/**
 * @param {Message} message
 * @param {{ isFollowUp: boolean, isInThread: boolean }} place isFollowUp: the same person said the message above
 */
export function messageItem(message, { isFollowUp, isInThread }) {
  const { ts, user, visible_to: visibleTo } = message;
  const author = userOf(user);
  const classes = [
    'message',
    isFollowUp ? 'follow-up' : '',
    visibleTo === null ? '' : 'ephemeral',
    state.highlighted === ts ? 'highlighted' : '',
    state.menu === ts ? 'has-menu' : '',
  ].join(' ');
  const label = `${author?.realName ?? user}, ${timeOf(ts)}`;
  return html`<li class=${classes} data-ts=${ts} tabindex="-1" aria-label=${label} @keydown=${moveByArrows}>
    ${isFollowUp ? html`<time class="side-time">${timeOf(ts)}</time>` : avatar(user)}
    <div class="message-body">
      ${visibleTo === null ? nothing : html`<p class="only-you">${icons.eye} Only visible to you</p>`}
      ${isFollowUp ? nothing : authorLine(message)}
      ${content(message)} ${(message.files ?? []).map(fileCard)} ${reactions(message)}
      ${isInThread ? nothing : threadSummary(message)}
      ${visibleTo === null ? nothing : dismissal(message)}
    </div>
    ${visibleTo === null ? toolbar(message, isInThread) : nothing}
  </li>`;
}

/** @param {string} id */
export function avatar(id) {
  const user = userOf(id);
  if (id === frame().app.userId) return html`<img class="avatar" src="/assets/icon.svg" alt="" />`;
  const at =
    Math.max(
      frame().users.findIndex((one) => one.id === id),
      0,
    ) % 6;
  const initials = (user?.realName ?? '?').split(' ').map((name) => name[0]);
  return html`<span class="avatar tint-${at}" aria-hidden="true">${initials}</span>`;
}

/** @param {Message} message */
function authorLine({ user, ts, edited }) {
  const author = userOf(user);
  return html`<p class="author">
    <b>${author?.realName ?? user}</b>
    ${author?.isBot ? html`<span class="badge">APP</span>` : nothing}
    <time datetime=${dateOf(ts).toISOString()} title=${dateOf(ts).toLocaleString()}>${timeOf(ts)}</time>
    ${edited ? html`<span class="edited">(edited)</span>` : nothing}
  </p>`;
}

/** Blocks are shown instead of the text, not beside it. @param {Message} message */
function content(message) {
  const { blocks: list = [], text } = message;
  if (list.length > 0) return blocks(list, { message });
  return text === '' ? nothing : html`<div class="text">${mrkdwn(text)}</div>`;
}

/** @param {import('./types.js').FileObject} file */
function fileCard(file) {
  const { title, filetype, mimetype, size, url_private: url } = file;
  if (url === undefined)
    return html`<p class="file-card">${icons.file} ${title}: still being processed</p>`;
  if (/^image\/(png|jpeg|gif)$/.test(mimetype)) {
    const enlarge = () => change({ picture: { ...blankFile, ...file, alt: title } });
    return html`<figure>
      <figcaption>${title}</figcaption>
      <button type="button" class="picture" aria-label="Show large: ${title}" @click=${enlarge}>
        <img src=${url} alt=${title} loading="lazy" />
      </button>
    </figure>`;
  }
  return html`<a class="file-card" href=${url} download>
    ${icons.file}<span><b>${title}</b><small>${filetype.toUpperCase()} · ${sizeText(size)}</small></span>
  </a>`;
}

/** @param {number} bytes */
function sizeText(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024
    ? `${(bytes / 1024).toFixed(0)} KiB`
    : `${(bytes / 1048576).toFixed(1)} MiB`;
}

/** @param {Message} message */
function reactions({ reactions: list = [] }) {
  if (list.length === 0) return nothing;
  return html`<p class="reactions">
    ${list.map(({ name, count }) => html`<span class="reaction">${emojiOf(name) ?? `:${name}:`} ${count}</span>`)}
  </p>`;
}

/** @param {Message} message */
function threadSummary({
  ts,
  reply_count: count = 0,
  reply_users: users = [],
  latest_reply: latest,
}) {
  if (count === 0) return nothing;
  return html`<button type="button" class="thread-summary" @click=${() => openThread(ts)}>
    ${users.slice(0, 4).map(avatar)}
    <b>${count === 1 ? '1 reply' : `${count} replies`}</b>
    <span>${latest === undefined ? nothing : `Last reply ${ago(dateOf(latest))}`}</span>
  </button>`;
}

/** @param {Message} message */
function dismissal(message) {
  const dismiss = () => void act({ act: 'dismiss', message: addressOf(message) });
  return html`<button type="button" class="quiet-link" @click=${dismiss}>Dismiss message</button>`;
}

/** What appears beside a message under the pointer or the focus. @param {Message} message @param {boolean} isInThread */
function toolbar(message, isInThread) {
  const { ts, thread_ts: parent } = message;
  const isOpen = state.menu === ts;
  const toggle = () => {
    change({ menu: isOpen ? undefined : ts });
    if (!isOpen) focusFirstItem();
  };
  return html`<div class="toolbar" role="toolbar" aria-label="Message actions">
    ${
      isInThread
        ? nothing
        : html`<button type="button" title="Reply in thread" aria-label="Reply in thread" @click=${() => openThread(parent ?? ts)}>
            ${icons.thread}
          </button>`
    }
    <button type="button" title="More actions" aria-label="More actions" aria-haspopup="menu" aria-expanded=${isOpen} @click=${toggle}>
      ${icons.more}
    </button>
    ${isOpen ? menu(message) : nothing}
  </div>`;
}

/** @param {Message} message */
function menu(message) {
  const { shortcuts, app } = frame();
  const close = () => change({ menu: undefined });
  const choose = (/** @type {string} */ callbackId) => {
    close();
    void act({ act: 'shortcut', message: addressOf(message), callbackId });
  };
  const copy = async () => {
    close();
    await copyText(message.permalink, 'Link copied.');
  };
  return html`<div class="menu" role="menu" @keydown=${moveInMenu}>
    <button type="button" role="menuitem" @click=${copy}>${icons.link} Copy link</button>
    ${shortcuts.map(
      ({
        name,
        callbackId,
      }) => html`<button type="button" role="menuitem" @click=${() => choose(callbackId)}>
        ${icons.bolt} ${name} <small>${app.name}</small>
      </button>`,
    )}
  </div>`;
}

/** @param {string} text @param {string} done */
export async function copyText(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    remark(done);
  } catch {
    remark(text);
  }
}

function focusFirstItem() {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const item = document.querySelector('.menu [role=menuitem]');
      if (item instanceof HTMLElement) item.focus();
    }),
  );
}

/** @param {KeyboardEvent} event */
function moveInMenu(event) {
  const items = /** @type {HTMLElement[]} */ ([
    .../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll('[role=menuitem]'),
  ]);
  const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  event.stopPropagation();
  if (event.key === 'Escape') change({ menu: undefined });
  if (step === undefined) return;
  event.preventDefault();
  items[(at + step + items.length) % items.length]?.focus();
}

/** Arrows go from message to message. @param {KeyboardEvent} event */
function moveByArrows(event) {
  const item = /** @type {HTMLElement} */ (event.currentTarget);
  if (event.target !== item) return;
  const to = { ArrowUp: item.previousElementSibling, ArrowDown: item.nextElementSibling }[
    event.key
  ];
  if (!(to instanceof HTMLElement)) return;
  event.preventDefault();
  to.focus();
}
