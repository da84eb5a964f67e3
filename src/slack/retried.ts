import type { KnownBlock } from '@slack/types';
import { context } from '../../templates/message/blocks.ts';
import type { Place } from '../investigation.ts';
import type { Chat, MessageAddress } from '../ports.ts';
import type { ButtonPress } from './payloads.ts';

/** After "Try again": the old message loses its buttons and points at the new one. */
export async function pointToNew(
  chat: Chat,
  press: ButtonPress,
  opened: MessageAddress & Place,
): Promise<void> {
  const { channel, container, message, user } = press;
  const isEditable = container.message_ts !== undefined && !container.is_ephemeral;
  if (channel === undefined || message === undefined || !isEditable) return;
  // Slack hands back the blocks that memprof posted.
  const blocks = message.blocks.filter(({ type }) => type !== 'actions') as unknown as KnownBlock[];
  await chat.update({ channel: channel.id, ts: container.message_ts ?? '' }, message.text, [
    ...blocks,
    context(`<@${user.id}> tried again: <${chat.permalink(opened)}|the new investigation>`),
  ]);
}
