import { html, nothing } from 'lit-html';
import * as icons from './icons.js';
import { avatar } from './message.js';
import { goToChannel } from './navigation.js';
import { follow } from './server.js';
import { change, frame, state, unreadCount, userOf } from './store.js';

/** Channels, the app, and who one is. */
export function sidebar() {
  const channels = [...state.channels.values()].sort((left, right) =>
    left.name.localeCompare(right.name),
  );
  const direct = channels.filter(({ kind }) => kind === 'im');
  const others = channels.filter(({ kind }) => kind !== 'im');
  return html`<nav class=${state.isDrawerOpen ? 'sidebar open' : 'sidebar'} aria-label="Workspace">
      <p class="team">
        <b>${frame().team.name}</b>
        <button type="button" class="plain drawer-button" aria-label="Close" @click=${() => change({ isDrawerOpen: false })}>
          ${icons.close}
        </button>
      </p>
      <h2>Channels</h2>
      <ul>${others.map(channelLink)}</ul>
      <h2>Apps</h2>
      <ul>${direct.map(channelLink)}</ul>
      ${connection()} ${whoAmI()}
    </nav>
    ${state.isDrawerOpen ? html`<div class="shade" @click=${() => change({ isDrawerOpen: false })}></div>` : nothing}`;
}

/** @param {import('./types.js').Channel} channel */
function channelLink(channel) {
  const { id, name, kind } = channel;
  const isOpen = id === state.channel;
  const unread = isOpen ? 0 : unreadCount(channel);
  const sign = {
    public: icons.hash,
    private: icons.lock,
    im: html`<img class="avatar" src="/assets/icon.svg" alt="" />`,
  };
  return html`<li>
    <a
      href="/archives/${id}"
      class=${unread > 0 ? 'channel-link unread' : 'channel-link'}
      aria-current=${isOpen ? 'page' : nothing}
      @click=${(/** @type {Event} */ event) => {
        event.preventDefault();
        goToChannel(id);
      }}
    >
      ${sign[kind]}<span>${name}</span>
      ${unread > 0 ? html`<span class="count" aria-label="${unread} unread">${unread}</span>` : nothing}
    </a>
  </li>`;
}

function connection() {
  const { isLive, connectionCount } = state;
  const { name } = frame().app;
  const text = isLive
    ? connectionCount > 0
      ? `${name} is connected`
      : `${name} is not connected`
    : 'The workspace has stopped';
  return html`<p class="connection ${isLive && connectionCount > 0 ? 'on' : 'off'}" role="status">${text}</p>`;
}

function whoAmI() {
  const { me, people } = frame();
  const become = (/** @type {Event} */ event) => {
    change({ thread: undefined, menu: undefined });
    const user = /** @type {HTMLSelectElement} */ (event.currentTarget).value;
    sessionStorage.setItem('user', user);
    follow(user);
  };
  return html`<label class="who">
    ${avatar(me)}
    <span>
      <small>You are</small>
      <select @change=${become} .value=${me}>
        ${people.map((id) => html`<option value=${id} ?selected=${id === me}>${userOf(id)?.realName}</option>`)}
      </select>
    </span>
  </label>`;
}
