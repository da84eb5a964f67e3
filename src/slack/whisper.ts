import type { RespondFn } from '@slack/bolt';
import type { Message } from '../../templates/message/blocks.ts';
import { toFailure } from '../failure.ts';
import type { Place } from '../investigation.ts';
import type { Chat, Log } from '../ports.ts';

export interface WhisperOptions {
  readonly chat: Chat;
  readonly log: Log;
  readonly user: string;
  readonly place: Place;
  /** Slack's own way to answer a command or a button; works also where memprof is not. */
  readonly respond?: RespondFn;
}

/** Tells one person, in whichever way works: where they asked, else in their direct messages. */
export function createWhisper(options: WhisperOptions): (message: Message) => Promise<void> {
  const { chat, log, user, place, respond } = options;
  const ways: ((message: Message) => Promise<unknown>)[] = [
    ...(respond === undefined
      ? []
      : [
          ({ text, blocks }: Message) =>
            respond({
              text,
              blocks: [...blocks],
              response_type: 'ephemeral',
              replace_original: false,
            }),
        ]),
    ({ text, blocks }) => chat.whisper({ ...place, user }, text, blocks),
    ({ text, blocks }) => chat.post({ channel: user, text, blocks, deliveryKey: 'direct' }),
  ];
  return async (message) => {
    for (const way of ways) {
      try {
        await way(message);
        return;
      } catch (thrown) {
        log.debug({ err: toFailure(thrown), user }, 'could not tell the asker this way');
      }
    }
    log.warn({ user, channel: place.channel, text: message.text }, 'could not tell the asker');
  };
}
