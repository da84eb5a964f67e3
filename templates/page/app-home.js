import { html } from 'lit-html';
import { blocks } from './blocks.js';
import { frame, state } from './store.js';

/** The app's Home and what it says of itself. */
export function appHome() {
  const { app, commands } = frame();
  if (state.appTab === 'about') {
    return html`<div class="scroll home" data-key="about">
      <h2>${app.name}</h2>
      <p>${app.description}</p>
      <dl class="commands">
        ${commands.map(({ command, usageHint, description }) => html`<dt>${command} <span>${usageHint}</span></dt><dd>${description}</dd>`)}
      </dl>
    </div>`;
  }
  const { home } = state;
  return html`<div class="scroll home" data-key="home">
    ${home === null ? html`<p class="empty">${app.name} has not published a Home for you yet.</p>` : blocks(home.blocks, { view: home })}
  </div>`;
}
