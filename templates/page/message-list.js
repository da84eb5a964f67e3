import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { dayOf } from './date-format.js';
import { messageItem } from './message.js';

/** @typedef {import('./types.js').Message} Message */

/** What the same person says within this is one block. */
const FOLLOW_UP_SECONDS = 300;

/**
 * @param {readonly Message[]} messages in order of time
 * @param {{ name: string, isThread: boolean, firstUnreadTs?: string | undefined }} options
 */
export function messageList(messages, { name, isThread, firstUnreadTs }) {
  return html`<ol class="messages" aria-label=${name} data-list=${isThread ? 'thread' : 'channel'}>
    ${repeat(
      messages,
      ({ ts }) => ts,
      (message, index) => {
        const above = messages[index - 1];
        const isUnreadStart = message.ts === firstUnreadTs;
        const startsDay =
          !isThread && (above === undefined || dayOf(above.ts) !== dayOf(message.ts));
        const isFollowUp = !startsDay && !isUnreadStart && follows(message, above);
        return html`${startsDay ? html`<li class="day"><span>${dayOf(message.ts)}</span></li>` : nothing}
        ${isUnreadStart ? html`<li class="unread-line"><span>New</span></li>` : nothing}
        ${messageItem(message, { isFollowUp, isInThread: isThread })}
        ${isThread && index === 0 ? replyLine(messages.length - 1) : nothing}`;
      },
    )}
  </ol>`;
}

/** @param {Message} message @param {Message | undefined} above */
function follows(message, above) {
  return (
    above !== undefined &&
    above.user === message.user &&
    above.visible_to === null &&
    message.visible_to === null &&
    (above.blocks ?? []).length === 0 &&
    Number(message.ts) - Number(above.ts) < FOLLOW_UP_SECONDS
  );
}

/** @param {number} count */
function replyLine(count) {
  if (count === 0) return nothing;
  return html`<li class="day"><span>${count === 1 ? '1 reply' : `${count} replies`}</span></li>`;
}

/** How near to its end a list is still taken to be read at its end. */
const NEAR_END_PX = 80;

/**
 * Notes which lists stand at their end; the function that is returned brings those back there after a drawing,
 * and again when their pictures have come.
 */
export function keepAtEnd() {
  const lists = [...document.querySelectorAll('.scroll')];
  const atEnd = lists.filter(
    (list) => list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX,
  );
  return () => {
    for (const list of document.querySelectorAll('.scroll')) {
      const key = list.getAttribute('data-key');
      const isNew = list.getAttribute('data-drawn') !== key;
      list.setAttribute('data-drawn', key ?? '');
      if (!isNew && !atEnd.includes(list)) continue;
      list.scrollTop = list.scrollHeight;
      for (const picture of list.querySelectorAll('img')) {
        if (picture.complete) continue;
        picture.addEventListener(
          'load',
          () => {
            list.scrollTop = list.scrollHeight;
          },
          { once: true },
        );
      }
    }
  };
}
