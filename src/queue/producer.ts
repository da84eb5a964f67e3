import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { JobQueue, Log } from '../ports.ts';
import type { Milliseconds } from '../units.ts';
import { keysOf, QUEUE_NAME } from './keys.ts';
import { answerOf, redisFailure } from './redis.ts';

export interface ProducerOptions {
  /** A fail-fast connection; it stays the caller's to close. */
  readonly redis: Redis;
  readonly prefix: string;
  readonly deadlineMs: Milliseconds;
  readonly log: Log;
}

/** About an hour with the back-off of the consumer: Slack or ClickHouse may be away for as long. */
const ATTEMPTS = 60;
const DAY_SECONDS = 86_400;

export function createProducer(options: ProducerOptions): JobQueue & AsyncDisposable {
  const { redis, deadlineMs } = options;
  const queue = new Queue(QUEUE_NAME, {
    connection: redis,
    prefix: options.prefix,
    defaultJobOptions: {
      attempts: ATTEMPTS,
      backoff: { type: 'custom' },
      removeOnComplete: { age: DAY_SECONDS, count: 1000 },
      removeOnFail: { age: 7 * DAY_SECONDS, count: 1000 },
    },
  });
  queue.on('error', (error) => options.log.debug({ err: error }, 'queue connection'));

  async function answer<T>(command: () => Promise<T>): Promise<T> {
    // BullMQ would wait for the connection; the one who typed should not.
    if (redis.status !== 'ready') {
      throw redisFailure('queue-unavailable', new Error(`the connection is ${redis.status}`));
    }
    return answerOf('queue-unavailable', deadlineMs, command());
  }

  return {
    async enqueue(id, data) {
      await answer(() => queue.add('investigation', data, { jobId: id }));
    },

    async withdraw(id) {
      const job = await answer(() => queue.getJob(id));
      if (job === undefined) return false;
      const state = await answer(() => job.getState());
      if (state !== 'waiting' && state !== 'delayed' && state !== 'prioritized') return false;
      // Refused when a worker took it between the look and now.
      return answer(() =>
        job.remove().then(
          () => true,
          () => false,
        ),
      );
    },

    async interrupt(id) {
      await answer(() => redis.publish(keysOf(options.prefix).interrupts, id));
    },

    [Symbol.asyncDispose]: () => queue.close(),
  };
}
