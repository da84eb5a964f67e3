import { html, nothing } from 'lit-html';
import { complete, encode, usageOf } from './completion.js';
import * as icons from './icons.js';
import { copyText } from './message.js';
import { act } from './server.js';
import { change, frame, openChannel, state } from './store.js';

/**
 * @typedef {object} Draft
 * @property {string} text
 * @property {import('./completion.js').Completion | undefined} completion
 * @property {number} chosen which proposal
 * @property {boolean} isRefused a command was typed in a thread
 * @property {boolean} isSending
 */

/** What is typed but not sent, by channel or thread. @type {Map<string, Draft>} */
const drafts = new Map();

/** @param {string | undefined} threadTs */
function keyOf(threadTs) {
  return `${state.channel} ${threadTs ?? ''}`;
}

/** @param {string} key @returns {Draft} */
function draftOf(key) {
  const draft = drafts.get(key) ?? {
    text: '',
    completion: undefined,
    chosen: 0,
    isRefused: false,
    isSending: false,
  };
  drafts.set(key, draft);
  return draft;
}

/** @param {{ label: string, threadTs?: string | undefined }} options */
export function composer({ label, threadTs }) {
  const where = threadTs === undefined ? 'channel' : 'thread';
  const key = keyOf(threadTs);
  const draft = draftOf(key);
  const { completion, chosen, text } = draft;
  const listId = `proposals-${where}`;
  const usage = completion === undefined ? usageOf(text) : undefined;
  return html`<form
    class="composer"
    @submit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      void send(key, threadTs);
    }}
  >
    ${draft.isRefused ? refusal(key, threadTs) : nothing}
    ${completion === undefined ? nothing : proposals(completion, chosen, listId, where, key)}
    <div class="composer-box">
      <textarea
        rows="1"
        data-composer=${where}
        aria-label=${label}
        placeholder=${label}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded=${completion !== undefined}
        aria-controls=${listId}
        aria-activedescendant=${completion === undefined ? '' : `${listId}-${chosen}`}
        spellcheck="false"
        .value=${text}
        @input=${(/** @type {InputEvent} */ event) => type(key, event)}
        @keydown=${(/** @type {KeyboardEvent} */ event) => press(key, threadTs, event)}
        @blur=${() => stopCompleting(key)}
      ></textarea>
      <button class="send" aria-label="Send" title="Send (Enter)" ?disabled=${text.trim() === '' || draft.isSending}>
        ${icons.send}
      </button>
    </div>
    <p class="composer-hint">${usage ?? html`<b>Enter</b> sends, <b>Shift + Enter</b> starts a line, <b>/</b> lists commands`}</p>
  </form>`;
}

/** Puts a text into the composer of the channel. @param {string} text */
export function insert(text) {
  draftOf(keyOf(undefined)).text = text;
  change({ isDrawerOpen: false, thread: innerWidth <= 1100 ? undefined : state.thread });
}

/** @param {import('./completion.js').Completion} completion @param {number} chosen @param {string} id @param {string} where @param {string} key */
function proposals(completion, chosen, id, where, key) {
  return html`<ul class="proposals" role="listbox" id=${id} aria-label="Proposals">
    ${completion.proposals.map(
      ({ label, hint, about }, index) => html`<li
        role="option"
        id="${id}-${index}"
        aria-selected=${index === chosen}
        @mousedown=${(/** @type {Event} */ event) => {
          // The composer keeps the focus.
          event.preventDefault();
          accept(key, index, composerOf(where));
        }}
      >
        <b>${label}</b> ${hint ? html`<span class="usage">${hint}</span>` : nothing}
        <small>${about}</small>
      </li>`,
    )}
  </ul>`;
}

/** Slack's words when a command is typed in a thread, and the ways round. @param {string} key @param {string | undefined} threadTs */
function refusal(key, threadTs) {
  const draft = draftOf(key);
  const [name = '', ...words] = draft.text.trim().split(' ');
  const { app, shortcuts } = frame();
  const mention = () => {
    draft.text = `@${app.name} ${words.join(' ')}`;
    draft.isRefused = false;
    change();
    composerOf('thread')?.focus();
  };
  const root = openChannel()?.messages.get(threadTs ?? '');
  return html`<div class="refusal" role="alert">
    <p><b>${name} is not supported in threads. Sorry!</b></p>
    <p>What works here:</p>
    <ul>
      <li><button type="button" class="button small" @click=${mention}>Mention @${app.name} instead</button></li>
      ${shortcuts.map(({ name: shortcut }) => html`<li>“${shortcut}” in the menu of a message</li>`)}
      <li>
        <button type="button" class="button small" @click=${() => void copyText(root?.permalink ?? '', 'Link copied.')}>
          Copy the link to this thread
        </button>
        and give it to a command in the channel
      </li>
    </ul>
  </div>`;
}

/** @param {string} where @returns {HTMLTextAreaElement | null} */
function composerOf(where) {
  return document.querySelector(`textarea[data-composer="${where}"]`);
}

/** @param {string} key @param {InputEvent} event */
function type(key, event) {
  const area = /** @type {HTMLTextAreaElement} */ (event.currentTarget);
  const draft = draftOf(key);
  draft.text = area.value;
  draft.completion = complete(area.value, area.selectionStart);
  draft.chosen = 0;
  draft.isRefused = false;
  change();
}

/** @param {string} key */
function stopCompleting(key) {
  draftOf(key).completion = undefined;
  change();
}

/** @param {string} key @param {string | undefined} threadTs @param {KeyboardEvent} event */
function press(key, threadTs, event) {
  if (event.isComposing) return;
  const draft = draftOf(key);
  if (draft.completion !== undefined && pressInProposals(key, event)) {
    event.preventDefault();
    event.stopPropagation();
    return;
  }
  if (event.key === 'Enter' && !event.shiftKey) {
    event.preventDefault();
    void send(key, threadTs);
  }
}

/** @param {string} key @param {KeyboardEvent} event @returns {boolean} whether the key was for the list */
function pressInProposals(key, event) {
  const draft = draftOf(key);
  const proposals = draft.completion?.proposals ?? [];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) {
    draft.chosen = (draft.chosen + step + proposals.length) % proposals.length;
    change();
    return true;
  }
  if (event.key === 'Escape') {
    stopCompleting(key);
    return true;
  }
  const isWhole = proposals[draft.chosen]?.label === draft.text.trim();
  if (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey && !isWhole)) {
    accept(key, draft.chosen, /** @type {HTMLTextAreaElement} */ (event.currentTarget));
    return true;
  }
  return false;
}

/** @param {string} key @param {number} index @param {HTMLTextAreaElement | null} area */
function accept(key, index, area) {
  const draft = draftOf(key);
  const proposal = draft.completion?.proposals[index];
  if (draft.completion === undefined || proposal === undefined || area === null) return;
  const { start } = draft.completion;
  const rest = draft.text.slice(area.selectionStart).trimStart();
  draft.text = draft.text.slice(0, start) + proposal.insert + rest;
  draft.completion = undefined;
  const cursor = start + proposal.insert.length;
  change();
  requestAnimationFrame(() => requestAnimationFrame(() => area.setSelectionRange(cursor, cursor)));
}

/** @param {string} key @param {string | undefined} threadTs */
async function send(key, threadTs) {
  const draft = draftOf(key);
  const text = draft.text.trim();
  if (text === '' || draft.isSending) return;
  if (threadTs !== undefined && text.startsWith('/') && !text.startsWith('/invite')) {
    draft.isRefused = true;
    change();
    return;
  }
  draft.text = '';
  draft.completion = undefined;
  change();
  await act({
    act: 'send',
    channel: state.channel,
    text: encode(text),
    ...(threadTs === undefined ? {} : { threadTs }),
  });
}
