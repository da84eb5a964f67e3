import { Failure, toFailure } from '../src/failure.ts';
import type { Investigation } from '../src/investigation.ts';
import type { Chat, MessageAddress } from '../src/ports.ts';
import type { Message } from '../templates/message/blocks.ts';

/** Posts once: when the answer of Slack got lost, looks before it posts again. */
export async function postRoot(
  chat: Chat,
  investigation: Investigation,
  message: Message,
): Promise<MessageAddress> {
  const { id, channel, threadTs } = investigation;
  const place = threadTs === undefined ? { channel } : { channel, threadTs };
  const post = () => chat.post({ ...place, ...message, deliveryKey: id });
  try {
    return await post();
  } catch (thrown) {
    const failure = toFailure(thrown);
    if (failure.kind !== 'slack-unavailable') throw failure;
    return (await findRoot(chat, investigation)) ?? (await post());
  }
}

/** Slack's clock and ours may differ by this much. */
const CLOCK_SKEW_MICROS = 60_000_000;

/** The root message, if it was posted; throws when memprof may not look. */
export async function findRoot(
  chat: Chat,
  { id, channel, threadTs, openedAtMicros }: Investigation,
): Promise<MessageAddress | undefined> {
  const oldestTs = threadTs ?? ((openedAtMicros - CLOCK_SKEW_MICROS) / 1e6).toFixed(6);
  const place = threadTs === undefined ? { channel } : { channel, threadTs };
  return chat.find({ ...place, oldestTs }, id).catch((thrown: unknown) => {
    const failure = toFailure(thrown);
    if (failure.kind !== 'slack-refused') throw failure;
    throw new Failure('slack-refused', {
      what: 'Slack did not say whether the message of your investigation was posted',
      why: 'memprof may not read this channel to find out (it lacks the history scope)',
      fix: `Type it again; a message of investigation ${id} that stands here already will not change`,
      cause: failure,
    });
  });
}
