import { toFailure } from '../src/failure.ts';
import type { Store } from '../src/ports.ts';
import { context, escapeMrkdwn } from '../templates/message/blocks.ts';
import type { Kept, Reply } from './job.ts';

/**
 * Keeps what an answer says is worth remembering. The answer itself does not depend on it: when it cannot be kept,
 * the answer says so and why.
 */
export async function remember(reply: Reply, store: Store | undefined): Promise<Reply> {
  if (reply.keep === undefined || store === undefined) return reply;
  try {
    await keep(reply.keep, store);
    return reply;
  } catch (thrown) {
    const failure = toFailure(thrown);
    if (failure.kind === 'bug') throw thrown;
    const remark = context(
      escapeMrkdwn(`Not kept for later comparison. ${failure.message} [${failure.code}]`),
    );
    return { ...reply, tail: [...reply.tail.slice(0, -1), remark, ...reply.tail.slice(-1)] };
  }
}

export async function keep({ reading, profile }: Kept, store: Store): Promise<void> {
  // The reading first: it is small, and it is what trends are made of.
  await store.keepReading(reading);
  if (profile === undefined) return;
  const { investigationId, target, kind, subject, atMicros } = reading;
  await store.keepProfile({ investigationId, target, kind, subject, atMicros }, profile);
}
