import './types.js';

/**
 * The state of the page: what the server told, and what is open here. `change` draws everything anew, once a frame.
 *
 * @typedef {object} State
 * @property {import('./types.js').Frame | undefined} frame
 * @property {Map<string, import('./types.js').Channel>} channels
 * @property {import('./types.js').View[]} views
 * @property {import('./types.js').View | null} home
 * @property {number} connectionCount how many connections the app has
 * @property {boolean} isLive whether the server is there
 * @property {string} channel the open channel
 * @property {string | undefined} thread the `ts` of the parent of the open thread
 * @property {boolean} isGuideOpen
 * @property {boolean} isDrawerOpen on narrow screens
 * @property {'home' | 'messages' | 'about'} appTab
 * @property {import('./types.js').FileObject & { alt: string } | undefined} picture the one that is shown large
 * @property {string | undefined} menu the `ts` of the message whose menu is open
 * @property {string | undefined} highlighted the `ts` of the message that a link led to
 * @property {{ title: string, text: string, yes: string, no: string, style: string, run: () => void } | undefined} question
 * @property {string | undefined} remark something short to tell
 */

/** @type {State} */
export const state = {
  frame: undefined,
  channels: new Map(),
  views: [],
  home: null,
  connectionCount: 0,
  isLive: false,
  channel: '',
  thread: undefined,
  isGuideOpen: false,
  isDrawerOpen: false,
  appTab: 'home',
  picture: undefined,
  menu: undefined,
  highlighted: undefined,
  question: undefined,
  remark: undefined,
};

let draw = () => {};
let isDrawing = false;

/** @param {() => void} drawAll */
export function onChange(drawAll) {
  draw = drawAll;
}

/** @param {Partial<State>} [patch] */
export function change(patch = {}) {
  Object.assign(state, patch);
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    draw();
  });
}

/** Says something short for a moment. @param {string} text */
export function remark(text) {
  change({ remark: text });
  setTimeout(() => {
    if (state.remark === text) change({ remark: undefined });
  }, 3000);
}

/** @returns {import('./types.js').Frame} */
export function frame() {
  if (state.frame === undefined) throw new Error('nothing is known yet');
  return state.frame;
}

/** @param {string} id */
export function userOf(id) {
  return frame().users.find((user) => user.id === id);
}

/** @returns {import('./types.js').Channel | undefined} */
export function openChannel() {
  return state.channels.get(state.channel);
}

/** Messages in order of time. @param {import('./types.js').Channel} channel */
export function messagesOf(channel) {
  return [...channel.messages.values()].sort((left, right) => (left.ts < right.ts ? -1 : 1));
}

/** What stands in the channel itself. @param {import('./types.js').Message} message */
export function isInChannel(message) {
  const { thread_ts: parent, ts, subtype } = message;
  return parent === undefined || parent === ts || subtype === 'thread_broadcast';
}

/** @param {import('./types.js').Channel} channel */
export function unreadCount(channel) {
  const me = frame().me;
  return messagesOf(channel).filter(
    (message) => message.ts > channel.lastReadTs && message.user !== me && isInChannel(message),
  ).length;
}
