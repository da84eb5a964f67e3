import { act } from './server.js';
import { change, isInChannel, messagesOf, remark, state } from './store.js';

/** Where one is: channel and thread, also in the address bar, so that permalinks lead here. */

/** @param {string} channel */
export function goToChannel(channel) {
  change({ channel, thread: undefined, isDrawerOpen: false, menu: undefined, appTab: 'home' });
  history.pushState(null, '', `/archives/${channel}`);
  markRead();
  openHomeIfThere();
  focusComposer('channel');
}

/** @param {string} ts of the parent */
export function openThread(ts) {
  change({ thread: ts, menu: undefined });
  focusComposer('thread');
}

export function closeThread() {
  change({ thread: undefined });
  focusComposer('channel');
}

/** Tells the app that its Home was opened, as Slack does. */
export function openHomeIfThere() {
  const channel = state.channels.get(state.channel);
  if (channel?.kind !== 'im' || state.appTab !== 'home') return;
  void act({ act: 'home', channel: channel.id, tab: 'home' });
}

/** The `ts` of the newest message here that was read, per channel, so that it is told once. @type {Map<string, string>} */
const told = new Map();

export function markRead() {
  const channel = state.channels.get(state.channel);
  if (channel === undefined || document.hidden) return;
  const newest = messagesOf(channel).filter(isInChannel).at(-1)?.ts;
  if (newest === undefined || newest <= channel.lastReadTs || told.get(channel.id) === newest) {
    return;
  }
  told.set(channel.id, newest);
  void act({ act: 'read', channel: channel.id, ts: newest });
}

/**
 * The place that a link of this workspace means; undefined for any other link.
 * @param {string} href
 */
export function readPermalink(href) {
  const url = new URL(href, location.href);
  const [, channel, digits] = /^\/archives\/([A-Z0-9]+)(?:\/p(\d{16}))?$/.exec(url.pathname) ?? [];
  if (url.origin !== location.origin || channel === undefined) return undefined;
  const ts = digits === undefined ? undefined : `${digits.slice(0, 10)}.${digits.slice(10)}`;
  return { channel, ts, parent: url.searchParams.get('thread_ts') ?? undefined };
}

/** @param {string} href @returns {boolean} whether it led somewhere here */
export function followPermalink(href) {
  const place = readPermalink(href);
  const channel = place === undefined ? undefined : state.channels.get(place.channel);
  if (place === undefined || channel === undefined) return false;
  const { ts, parent } = place;
  const message = ts === undefined ? undefined : channel.messages.get(ts);
  if (ts !== undefined && message === undefined) remark('That message is not here any more.');
  const hasThread = message !== undefined && (message.reply_count ?? 0) > 0;
  change({
    channel: channel.id,
    thread: parent ?? (hasThread ? ts : undefined),
    highlighted: ts,
    menu: undefined,
  });
  history.pushState(null, '', href);
  markRead();
  return true;
}

/** @param {'channel' | 'thread'} where */
export function focusComposer(where) {
  // After the drawing that shows it.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const composer = document.querySelector(`textarea[data-composer="${where}"]`);
      if (composer instanceof HTMLTextAreaElement) composer.focus();
    }),
  );
}
