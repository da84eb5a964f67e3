import { html, nothing } from 'lit-html';
import { appHome } from './app-home.js';
import { composer, insert } from './composer.js';
import * as icons from './icons.js';
import { messageList } from './message-list.js';
import { closeThread, focusComposer } from './navigation.js';
import { act } from './server.js';
import { change, frame, isInChannel, messagesOf, openChannel, state } from './store.js';

/** The channel in the middle. */
export function channelView() {
  const channel = openChannel();
  if (channel === undefined)
    return html`<main class="channel"><p class="empty">No channel is open.</p></main>`;
  const isApp = channel.kind === 'im';
  return html`<main class="channel" aria-label=${nameOf(channel)}>
    ${head(channel)} ${isApp ? tabs() : nothing}
    ${isApp && state.appTab !== 'messages' ? appHome() : conversation(channel)}
  </main>`;
}

/** @param {import('./types.js').Channel} channel */
function nameOf({ kind, name }) {
  return kind === 'im' ? name : `#${name}`;
}

/** @param {import('./types.js').Channel} channel */
function head(channel) {
  const { kind, name, topic, members, hasApp } = channel;
  const sign = {
    public: icons.hash,
    private: icons.lock,
    im: html`<img class="avatar" src="/assets/icon.svg" alt="" />`,
  };
  const toggleGuide = () => change({ isGuideOpen: !state.isGuideOpen, thread: undefined });
  return html`<header class="head">
    <button type="button" class="plain drawer-button" aria-label="Channels" @click=${() => change({ isDrawerOpen: true })}>
      ${icons.menu}
    </button>
    <h1>${sign[kind]}<span>${name}</span></h1>
    <p class="topic">${topic}</p>
    ${
      kind === 'im'
        ? nothing
        : html`<span class="members" title=${hasApp ? `${frame().app.name} is in this channel` : `${frame().app.name} is not in this channel`}>
            ${icons.people}${members.length}
          </span>`
    }
    <button type="button" class="plain guide-button" aria-pressed=${state.isGuideOpen} @click=${toggleGuide}>
      ${icons.compass}<span>Guide</span>
    </button>
  </header>`;
}

function tabs() {
  const tab = (
    /** @type {'home' | 'messages' | 'about'} */ name,
    /** @type {string} */ label,
  ) => html`<button
    type="button"
    role="tab"
    aria-selected=${state.appTab === name}
    @click=${() => openTab(name)}
  >
    ${label}
  </button>`;
  return html`<div class="tabs" role="tablist">
    ${frame().app.hasHome ? tab('home', 'Home') : nothing} ${tab('messages', 'Messages')} ${tab('about', 'About')}
  </div>`;
}

/** @param {'home' | 'messages' | 'about'} appTab */
function openTab(appTab) {
  change({ appTab });
  if (appTab !== 'about') void act({ act: 'home', channel: state.channel, tab: appTab });
}

/** @param {import('./types.js').Channel} channel */
function conversation(channel) {
  const shown = messagesOf(channel).filter(isInChannel);
  const firstUnreadTs = shown.find(
    ({ ts, user }) => ts > (unreadFrom(channel) ?? ts) && user !== frame().me,
  )?.ts;
  return html`<div class="scroll" data-key=${channel.id}>
      <div class="beginning">
        <h2>${nameOf(channel)}</h2>
        <p>This is the beginning of ${nameOf(channel)}. Nothing here outlives the server.</p>
      </div>
      ${messageList(shown, { name: `Messages in ${nameOf(channel)}`, isThread: false, firstUnreadTs })}
    </div>
    ${channel.isMember ? writing(channel) : joining(channel)}`;
}

/** Where the line for new messages stands: it stays while the channel is open. */
const unreadLine = { channel: '', ts: '' };

/** @param {import('./types.js').Channel} channel */
function unreadFrom(channel) {
  if (unreadLine.channel !== channel.id) {
    Object.assign(unreadLine, { channel: channel.id, ts: channel.lastReadTs });
  }
  return unreadLine.ts;
}

/** @param {import('./types.js').Channel} channel */
function writing(channel) {
  const first = frame().notice?.suggestions?.[0];
  const isAlone = state.isGuideOpen || channel.kind === 'im' || !channel.hasApp;
  return html`${
    first === undefined || isAlone
      ? nothing
      : html`<p class="try">
          Try
          <button type="button" class="plain command" @click=${() => insertCommand(first.command)}>${first.command}</button>
        </p>`
  }
  ${composer({ label: `Message ${nameOf(channel)}` })}`;
}

/** @param {string} command */
export function insertCommand(command) {
  insert(command);
  focusComposer('channel');
}

/** @param {import('./types.js').Channel} channel */
function joining(channel) {
  const join = () => void act({ act: 'join', channel: channel.id });
  return html`<div class="joining">
    <p>You are looking at <b>${nameOf(channel)}</b>.</p>
    <button type="button" class="button primary" @click=${join}>Join channel</button>
  </div>`;
}

/** The thread at the side. */
export function threadView() {
  const channel = openChannel();
  const { thread } = state;
  if (channel === undefined || thread === undefined) return nothing;
  const messages = messagesOf(channel).filter(
    ({ ts, thread_ts: parent }) => ts === thread || parent === thread,
  );
  return html`<aside class="side" aria-label="Thread">
    <header class="head">
      <h2>Thread</h2>
      <p class="topic">${nameOf(channel)}</p>
      <button type="button" class="plain" aria-label="Close thread" @click=${closeThread}>${icons.close}</button>
    </header>
    <div class="scroll" data-key=${thread}>
      ${
        messages[0]?.ts === thread
          ? messageList(messages, { name: 'Thread', isThread: true })
          : html`<p class="empty">The first message of this thread is gone.</p>`
      }
    </div>
    ${channel.isMember ? composer({ label: 'Reply…', threadTs: thread }) : nothing}
  </aside>`;
}
