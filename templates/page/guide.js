import { html, nothing } from 'lit-html';
import { insertCommand } from './channel.js';
import * as icons from './icons.js';
import { change, frame, state } from './store.js';

/** What to try, and what of all this is real. */
export function guide() {
  if (!state.isGuideOpen) return nothing;
  const { notice, truths } = frame();
  return html`<aside class="side guide" aria-label="Guide">
    <header class="head">
      <h2>${notice?.title ?? 'Guide'}</h2>
      <button type="button" class="plain" aria-label="Close guide" @click=${() => change({ isGuideOpen: false })}>
        ${icons.close}
      </button>
    </header>
    <div class="guide-text">
      ${notice?.text === undefined ? nothing : html`<p>${notice.text}</p>`}
      ${(notice?.suggestions ?? []).map(suggestion)}
      <h3>Other ways to ask</h3>
      <ul class="ways">
        <li>In a thread, mention <b>@${frame().app.name}</b>: Slack takes no commands there.</li>
        ${frame().shortcuts.map(({ name }) => html`<li>On any message, open its menu and choose <b>${name}</b>.</li>`)}
        <li>A channel that the app is not in: type <code>/invite @${frame().app.name}</code> there.</li>
      </ul>
      <h3>What is real here</h3>
      <dl class="truths">
        ${truths.map(
          ({ what, truth, how }) =>
            html`<dt>${what} <span class="truth ${truth}">${truth}</span></dt><dd>${how}</dd>`,
        )}
      </dl>
    </div>
  </aside>`;
}

/** @param {{ command: string, about?: string }} suggestion */
function suggestion({ command, about }) {
  return html`<button
    type="button"
    class="suggestion"
    @click=${() => {
      if (innerWidth <= 1100) change({ isGuideOpen: false });
      insertCommand(command);
    }}
  >
    <code>${command}</code>${about === undefined ? nothing : html`<span>${about}</span>`}
  </button>`;
}
