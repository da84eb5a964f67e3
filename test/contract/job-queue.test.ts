import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlainData } from '../../src/investigation.ts';
import type { JobQueue } from '../../src/ports.ts';
import { createConsumer } from '../../src/queue/consumer.ts';
import { createProducer } from '../../src/queue/producer.ts';
import { connectFailFast, connectPatient, waitUntilReady } from '../../src/queue/redis.ts';
import { createFakeQueue } from '../fakes/fake-queue.ts';
import { eventually } from '../support/eventually.ts';
import { freshPrefix, startTestRedis, type TestRedis } from '../support/redis.ts';
import { silentLog } from '../support/silent-log.ts';

interface Adapter {
  readonly queue: JobQueue;
  /** A worker comes and takes what waits, oldest first. */
  taken(): Promise<readonly { readonly id: string; readonly data: unknown }[]>;
  goAway(): Promise<void>;
}

let redis: TestRedis;
beforeEach(async () => {
  redis = await startTestRedis();
});
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  await redis[Symbol.asyncDispose]();
});

const adapters: Record<string, () => Promise<Adapter>> = {
  'in memory': async () => {
    const queue = createFakeQueue();
    return {
      queue,
      goAway: async () => queue.goAway(),
      async taken() {
        const jobs: { id: string; data: PlainData }[] = [];
        for (let job = queue.take(); job !== undefined; job = queue.take()) jobs.push(job);
        return jobs;
      },
    };
  },
  'in Redis': async () => {
    const connection = connectFailFast(redis.url, silentLog);
    await waitUntilReady(connection, 5000);
    const prefix = freshPrefix();
    const queue = createProducer({ redis: connection, prefix, deadlineMs: 2000, log: silentLog });
    cleanups.push(
      () => connection.disconnect(),
      () => queue[Symbol.asyncDispose](),
    );
    return {
      queue,
      goAway: () => redis.crash(),
      async taken() {
        const jobs: { id: string; data: unknown }[] = [];
        const workerConnection = connectPatient(redis.url, silentLog);
        const consumer = createConsumer({
          redis: workerConnection,
          prefix,
          concurrency: 1,
          stalledAfterMs: 5000,
          process: async ({ id, data }) => {
            jobs.push({ id, data });
            return {};
          },
          log: silentLog,
        });
        cleanups.push(
          () => workerConnection.disconnect(),
          () => consumer.close(1000),
        );
        await queue.enqueue('last', {});
        await eventually(() => expect(jobs.at(-1)?.id).toBe('last'));
        return jobs.slice(0, -1);
      },
    };
  },
};

describe.each(Object.entries(adapters))('the queue %s', (_name, start) => {
  it('hands out each id once, with the data that came first', async () => {
    const { queue, taken } = await start();
    await queue.enqueue('C1-1.1', { verb: 'peak', args: { deep: [1, null, 'x'] } });
    await queue.enqueue('C1-1.1', { verb: 'heap' });
    await queue.enqueue('C1-1.2', { verb: 'frag' });
    expect(await taken()).toEqual([
      { id: 'C1-1.1', data: { verb: 'peak', args: { deep: [1, null, 'x'] } } },
      { id: 'C1-1.2', data: { verb: 'frag' } },
    ]);
  });

  it('takes back what waits, and lets it be queued again', async () => {
    const { queue, taken } = await start();
    await queue.enqueue('C1-1.1', { verb: 'peak' });
    expect(await queue.withdraw('C1-1.1')).toBe(true);
    expect(await queue.withdraw('C1-1.1')).toBe(false);
    await queue.enqueue('C1-1.1', { verb: 'again' });
    expect(await taken()).toEqual([{ id: 'C1-1.1', data: { verb: 'again' } }]);
  });

  it('has nothing to take back once a worker had it', async () => {
    const { queue, taken } = await start();
    await queue.enqueue('C1-1.1', {});
    await taken();
    expect(await queue.withdraw('C1-1.1')).toBe(false);
  });

  it('says at once in every method that it is away', async () => {
    const { queue, goAway } = await start();
    await goAway();
    for (const call of [
      () => queue.enqueue('C1-1.1', {}),
      () => queue.withdraw('C1-1.1'),
      () => queue.interrupt('C1-1.1'),
    ]) {
      await expect(call()).rejects.toMatchObject({ kind: 'queue-unavailable' });
    }
  });
});
