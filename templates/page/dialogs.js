import { html, nothing } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import { blocks } from './blocks.js';
import { filledIn } from './elements.js';
import * as icons from './icons.js';
import { mrkdwn } from './mrkdwn.js';
import { act } from './server.js';
import { change, frame, remark, state } from './store.js';

/** What lies above the page: forms, questions, pictures. The browser's own dialogs keep the focus inside. */

export function dialogs() {
  return html`${form()} ${question()} ${lightbox()}`;
}

/** Opens a dialog as soon as it is drawn. */
const modal = ref((dialog) => {
  if (dialog instanceof HTMLDialogElement && !dialog.open) {
    requestAnimationFrame(() => {
      if (dialog.isConnected && !dialog.open) dialog.showModal();
    });
  }
});

/** What was wrong with a form when it was last sent. @type {{ viewId: string, errors: Record<string, string> }} */
let faults = { viewId: '', errors: {} };
let isSending = false;

function form() {
  const view = state.views.at(-1);
  if (view === undefined) return nothing;
  const { id, title, submit, close } = view;
  const errors = faults.viewId === id ? faults.errors : {};
  return html`<dialog class="form" aria-labelledby="form-title" ${modal} @cancel=${closeForm}>
    <form class="view" method="dialog" @submit=${(/** @type {SubmitEvent} */ event) => void send(event, view)}>
      <header class="head">
        <h2 id="form-title">${title?.text}</h2>
        <button type="button" class="plain" aria-label="Close" @click=${closeForm}>${icons.close}</button>
      </header>
      <div class="form-body">${blocks(view.blocks, { view }, errors)}</div>
      <footer>
        <span class="sender">${frame().app.name}</span>
        <button type="button" class="button" @click=${closeForm}>${close?.text ?? 'Cancel'}</button>
        ${submit === null ? nothing : html`<button class="button primary" aria-busy=${isSending}>${submit.text}</button>`}
      </footer>
    </form>
  </dialog>`;
}

/** @param {Event} event */
function closeForm(event) {
  event.preventDefault();
  void act({ act: 'close' });
}

/** @param {SubmitEvent} event @param {import('./types.js').View} view */
async function send(event, view) {
  event.preventDefault();
  const element = /** @type {HTMLFormElement} */ (event.currentTarget);
  if (isSending) return;
  isSending = true;
  change();
  const outcome = await act({ act: 'submit', input: filledIn(element) });
  isSending = false;
  faults = { viewId: view.id, errors: outcome.errors ?? {} };
  if (outcome.kind === 'failed') remark(`${frame().app.name} did not take it: ${outcome.error}`);
  change();
  requestAnimationFrame(() => requestAnimationFrame(focusFault));
}

function focusFault() {
  const field = document.querySelector('.faulty .field, .faulty .select');
  if (field instanceof HTMLElement) field.focus();
}

function question() {
  const { question: asked } = state;
  if (asked === undefined) return nothing;
  const close = () => change({ question: undefined });
  const yes = () => {
    close();
    asked.run();
  };
  return html`<dialog class="question" aria-labelledby="question-title" ${modal} @close=${close}>
    <h2 id="question-title">${asked.title}</h2>
    <p class="text">${mrkdwn(asked.text)}</p>
    <footer>
      <button type="button" class="button" @click=${close}>${asked.no}</button>
      <button type="button" class="button ${asked.style}" @click=${yes}>${asked.yes}</button>
    </footer>
  </dialog>`;
}

function lightbox() {
  const { picture } = state;
  if (picture === undefined) return nothing;
  const close = () => change({ picture: undefined });
  const zoom = (/** @type {Event} */ event) =>
    /** @type {HTMLElement} */ (event.currentTarget).classList.toggle('full-size');
  return html`<dialog class="lightbox" aria-label=${picture.title} ${modal} @close=${close}>
    <header class="head">
      <h2>${picture.title}</h2>
      <a class="button" href=${picture.url_private ?? ''} target="_blank" rel="noopener">Open original</a>
      <button type="button" class="plain" aria-label="Close picture" @click=${close}>${icons.close}</button>
    </header>
    <div class="stage">
      <button type="button" class="picture" aria-label="Zoom" @click=${zoom}>
        <img src=${picture.url_private ?? ''} alt=${picture.alt} />
      </button>
    </div>
    <p class="alt">${picture.alt}</p>
  </dialog>`;
}
