import { html, nothing, render } from 'lit-html';
import { channelView, threadView } from './channel.js';
import { dialogs } from './dialogs.js';
import { loadEmoji } from './emoji.js';
import { guide } from './guide.js';
import { keepAtEnd } from './message-list.js';
import {
  closeThread,
  followPermalink,
  markRead,
  openHomeIfThere,
  readPermalink,
} from './navigation.js';
import { follow } from './server.js';
import { sidebar } from './sidebar.js';
import { change, frame, onChange, openChannel, state, unreadCount } from './store.js';

/** Draws the page and connects it to the keyboard and the address bar. */

const DEFAULT_USER = 'U0DANA0001';

function draw() {
  const root = document.getElementById('app');
  if (root === null || state.frame === undefined) return;
  const backToEnd = keepAtEnd();
  const hasSide = state.thread !== undefined || state.isGuideOpen;
  render(
    html`<div class=${hasSide ? 'workspace with-side' : 'workspace'}>
      ${sidebar()} ${channelView()} ${state.thread === undefined ? guide() : threadView()}
      ${dialogs()}
      ${state.remark === undefined ? nothing : html`<p class="remark" role="status">${state.remark}</p>`}
    </div>`,
    root,
  );
  backToEnd();
  growComposers();
  showHighlighted();
  const unread = [...state.channels.values()].some((channel) => unreadCount(channel) > 0);
  document.title = `${unread ? '• ' : ''}${openChannel()?.name ?? ''} · ${frame().team.name}`;
  markRead();
}

function growComposers() {
  for (const area of document.querySelectorAll('textarea[data-composer]')) {
    const { style, scrollHeight } = /** @type {HTMLElement} */ (area);
    style.height = 'auto';
    style.height = `${Math.min(/** @type {HTMLElement} */ (area).scrollHeight || scrollHeight, 200)}px`;
  }
}

/** Brings the message that a link led to into sight, once. */
function showHighlighted() {
  const { highlighted } = state;
  if (highlighted === undefined) return;
  const item = document.querySelector(`[data-ts="${highlighted}"]`);
  if (item === null || item.getAttribute('data-shown') === 'yes') return;
  item.setAttribute('data-shown', 'yes');
  item.scrollIntoView({ block: 'center' });
  setTimeout(() => {
    item.removeAttribute('data-shown');
    change({ highlighted: undefined });
  }, 2500);
}

/** Links to messages of this workspace are followed here. @param {MouseEvent} event */
function followLink(event) {
  const anchor = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!(anchor instanceof HTMLAnchorElement) || anchor.classList.contains('channel-link')) return;
  if (event.ctrlKey || event.metaKey || readPermalink(anchor.href) === undefined) return;
  if (followPermalink(anchor.href)) event.preventDefault();
}

/** @param {KeyboardEvent} event */
function pressAnywhere(event) {
  if (event.key !== 'Escape' || document.querySelector('dialog[open]') !== null) return;
  if (state.menu !== undefined) change({ menu: undefined });
  else if (state.isDrawerOpen) change({ isDrawerOpen: false });
  else if (state.thread !== undefined) closeThread();
}

/** Clicks beside a menu close it. @param {MouseEvent} event */
function closeMenu(event) {
  const isInside = event.target instanceof Element && event.target.closest('.toolbar') !== null;
  if (state.menu !== undefined && !isInside) change({ menu: undefined });
}

onChange(draw);
document.addEventListener('click', followLink);
document.addEventListener('click', closeMenu);
document.addEventListener('keydown', pressAnywhere);
document.addEventListener('visibilitychange', markRead);
addEventListener('popstate', () => followPermalink(location.href));

const place = readPermalink(location.href);
if (place !== undefined) state.channel = place.channel;
onceKnown(() => {
  if (place?.ts !== undefined) followPermalink(location.href);
  openHomeIfThere();
});
follow(sessionStorage.getItem('user') ?? DEFAULT_USER);
void loadEmoji();

/** @param {() => void} run as soon as the server has told everything */
function onceKnown(run) {
  const look = setInterval(() => {
    if (state.frame === undefined) return;
    clearInterval(look);
    run();
  }, 20);
}
