import { change, frame, remark, state } from './store.js';

/**
 * The page's line to the workspace: what happens comes as server-sent events, what a person does goes as one POST.
 */

/** @type {EventSource | undefined} */
let stream;

/** Listens as this person from now on. @param {string} user */
export function follow(user) {
  stream?.close();
  stream = new EventSource(`/page/live?user=${encodeURIComponent(user)}`);
  stream.onopen = () => change({ isLive: true });
  stream.onerror = () => change({ isLive: false });
  /** @param {string} type @param {(data: any) => void} take */
  const on = (type, take) =>
    stream?.addEventListener(type, (event) => take(JSON.parse(event.data)));
  on('everything', takeEverything);
  on('frame', (data) => change({ frame: data }));
  on('channel', takeChannel);
  on('message', takeMessage);
  on('gone', ({ channel, ts }) => {
    state.channels.get(channel)?.messages.delete(ts);
    change();
  });
  on('views', (views) => change({ views }));
  on('home', (home) => change({ home }));
  on('app', ({ connectionCount }) => change({ connectionCount }));
}

/** @param {any} data */
function takeEverything({ channels, views, home, connectionCount, ...data }) {
  const isFirst = state.frame === undefined;
  state.channels = new Map();
  for (const channel of channels) {
    state.channels.set(channel.id, withMessages(channel));
  }
  const known = state.channels.get(state.channel);
  change({
    frame: data,
    views,
    home,
    connectionCount,
    isLive: true,
    channel: known?.id ?? firstChannel(),
    thread: known === undefined ? undefined : state.thread,
    isGuideOpen: isFirst ? data.notice !== null && innerWidth > 1100 : state.isGuideOpen,
  });
}

function firstChannel() {
  const mine = [...state.channels.values()].filter(({ isMember }) => isMember);
  return (mine.find(({ hasApp }) => hasApp) ?? mine[0])?.id ?? '';
}

/** @param {any} channel @returns {import('./types.js').Channel} */
function withMessages(channel) {
  /** @type {[string, import('./types.js').Message][]} */
  const messages = channel.messages.map((/** @type {any} */ message) => [message.ts, message]);
  return { ...channel, messages: new Map(messages) };
}

/** @param {any} channel */
function takeChannel(channel) {
  state.channels.set(channel.id, withMessages(channel));
  change();
}

/** @param {import('./types.js').Message} message */
function takeMessage(message) {
  const channel = state.channels.get(message.channel);
  if (channel === undefined) return;
  const isNew = !channel.messages.has(message.ts);
  channel.messages.set(message.ts, message);
  if (isNew) announce(message);
  change();
}

/** Screen readers hear what is new where one is looking. @param {import('./types.js').Message} message */
function announce({ channel, user, text, thread_ts: parent }) {
  const isHere = channel === state.channel && (parent === undefined || parent === state.thread);
  const announcer = document.getElementById('announcer');
  if (!isHere || user === frame().me || announcer === null) return;
  const name = frame().users.find(({ id }) => id === user)?.realName ?? '';
  announcer.textContent = `${name}: ${text}`;
}

/**
 * Does something as the person whose page it is.
 * @param {Record<string, unknown>} body @returns {Promise<any>}
 */
export async function act(body) {
  const response = await fetch(`/page/act?user=${encodeURIComponent(frame().me)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => undefined);
  if (response === undefined) {
    remark('The workspace is not there any more.');
    return {};
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) remark(answer.message ?? `That did not work (HTTP ${response.status}).`);
  return answer;
}
