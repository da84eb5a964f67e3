import { Queue } from 'bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DigestSchedule } from '../../src/digest-schedule.ts';
import type { JobDelivery, Schedules } from '../../src/ports.ts';
import { createConsumer } from '../../src/queue/consumer.ts';
import {
  connectFailFast,
  connectPatient,
  disconnect,
  waitUntilReady,
} from '../../src/queue/redis.ts';
import { createSchedules } from '../../src/queue/schedules.ts';
import { eventually, pause } from '../support/eventually.ts';
import { freshPrefix, startTestRedis, type TestRedis } from '../support/redis.ts';
import { silentLog } from '../support/silent-log.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open(prefix = freshPrefix()): Promise<Schedules> {
  const connection = connectFailFast(redis.url, silentLog);
  await waitUntilReady(connection, 5000);
  const schedules = createSchedules({
    redis: connection,
    prefix,
    deadlineMs: 5000,
    log: silentLog,
  });
  closing.push(async () => {
    await schedules[Symbol.asyncDispose]();
    await disconnect(connection);
  });
  return schedules;
}

function startWorker(prefix: string, seen: JobDelivery[]) {
  const connection = connectPatient(redis.url, silentLog);
  const consumer = createConsumer({
    redis: connection,
    prefix,
    concurrency: 1,
    stalledAfterMs: 5000,
    log: silentLog,
    process: async (delivery) => {
      seen.push(delivery);
      return {};
    },
  });
  closing.push(async () => {
    await consumer.close(1000);
    await disconnect(connection);
  });
}

/** BullMQ's own view, and what a test does to it behind our back. */
function bullmq(prefix: string): Queue {
  const queue = new Queue('jobs', { connection: redis.client, prefix });
  closing.push(() => queue.close());
  return queue;
}

const schedule = (changes: Partial<DigestSchedule> = {}): DigestSchedule => ({
  id: 'd7k2',
  channel: 'C1',
  targets: 'all',
  cron: '0 9 * * 1',
  timeZone: 'Europe/Berlin',
  minChangeShare: 0.1,
  isAlwaysPosted: false,
  isPaused: false,
  createdBy: 'U1',
  createdAtMicros: 1000,
  ...changes,
});

const SECOND_MICROS = 1_000_000;

describe('schedules', () => {
  it('gives back what was set up and when it runs next', async () => {
    const schedules = await open();
    await schedules.put(schedule());
    const found = await schedules.get('d7k2');
    expect(found?.schedule).toEqual(schedule());
    const next = new Date((found?.nextAtMicros ?? 0) / 1000);
    expect(next.getUTCDay()).toBe(1);
    expect([7, 8]).toContain(next.getUTCHours());
    expect(await schedules.get('none')).toBeUndefined();
  });

  it('lists the digests of a channel and of all, the oldest first', async () => {
    const schedules = await open();
    await schedules.put(schedule({ id: 'late', createdAtMicros: 9 }));
    await schedules.put(schedule({ id: 'early', createdAtMicros: 1 }));
    await schedules.put(schedule({ id: 'elsewhere', channel: 'C2', createdAtMicros: 5 }));
    const ids = async (channel?: string) =>
      (await schedules.list(channel)).map((one) => one.schedule.id);
    expect(await ids()).toEqual(['early', 'elsewhere', 'late']);
    expect(await ids('C1')).toEqual(['early', 'late']);
  });

  it('makes one schedule when ten bots start at once', async () => {
    const prefix = freshPrefix();
    const bots = await Promise.all(Array.from({ length: 10 }, () => open(prefix)));
    await Promise.all(bots.map((bot) => bot.put(schedule())));
    await Promise.all(bots.map((bot) => bot.mend()));
    const queue = bullmq(prefix);
    expect(await queue.getJobSchedulers()).toHaveLength(1);
    expect(await queue.getDelayed()).toHaveLength(1);
  });

  it('follows a change of the pattern with one job', async () => {
    const prefix = freshPrefix();
    const schedules = await open(prefix);
    await schedules.put(schedule());
    await schedules.put(schedule({ cron: '30 6 * * *' }));
    const queue = bullmq(prefix);
    expect((await queue.getJobSchedulers()).map(({ pattern }) => pattern)).toEqual(['30 6 * * *']);
    expect(await queue.getDelayed()).toHaveLength(1);
  });

  it('takes its job away when a digest is removed', async () => {
    const prefix = freshPrefix();
    const schedules = await open(prefix);
    await schedules.put(schedule());
    expect(await schedules.remove('d7k2')).toBe(true);
    expect(await schedules.remove('d7k2')).toBe(false);
    const queue = bullmq(prefix);
    expect(await queue.getJobSchedulers()).toEqual([]);
    expect(await queue.getDelayed()).toEqual([]);
  });

  it('runs what was missed while nobody was there once, and tells when it was due', async () => {
    const prefix = freshPrefix();
    const schedules = await open(prefix);
    await schedules.put(schedule({ cron: '* * * * * *', timeZone: 'UTC' }));
    const dueAt = (await schedules.get('d7k2'))?.nextAtMicros ?? 0;
    // Three turns go by.
    await pause(3200);
    expect(await schedules.mend()).toEqual([]);
    const seen: JobDelivery[] = [];
    startWorker(prefix, seen);
    await eventually(() => expect(seen.length).toBeGreaterThanOrEqual(2));
    expect(seen[0]).toMatchObject({ data: { digestId: 'd7k2' }, dueAtMicros: dueAt, attempt: 1 });
    // The next one is a turn that is still to come, not the second of those that were missed.
    expect((seen[1]?.dueAtMicros ?? 0) - dueAt).toBeGreaterThanOrEqual(3 * SECOND_MICROS);
  });

  it('runs at once when it is asked to, once for each request', async () => {
    const prefix = freshPrefix();
    const schedules = await open(prefix);
    await schedules.put(schedule());
    const job = { digestId: 'd7k2', askedBy: 'U9', requestId: 'k7f2m9qd' };
    await schedules.runNow(job);
    await schedules.runNow(job);
    const seen: JobDelivery[] = [];
    startWorker(prefix, seen);
    await eventually(() => expect(seen).toHaveLength(1));
    expect(seen[0]?.data).toEqual({ digestId: 'd7k2', askedBy: 'U9' });
    await pause(200);
    expect(seen).toHaveLength(1);
  });

  it('runs once when two ask before it has ended, tells the second of the first, and runs again later', async () => {
    const prefix = freshPrefix();
    const schedules = await open(prefix);
    await schedules.put(schedule());
    const job = (askedBy: string, requestId: string) => ({ digestId: 'd7k2', askedBy, requestId });
    const both = await Promise.all([
      schedules.runNow(job('U1', 'aaaa1111')),
      schedules.runNow(job('U2', 'bbbb2222')),
    ]);
    const told = both.filter((one) => one !== undefined);
    expect(told).toMatchObject([{ askedAtMicros: expect.any(Number) }]);
    expect(['U1', 'U2']).toContain(told[0]?.askedBy);
    const seen: JobDelivery[] = [];
    startWorker(prefix, seen);
    await eventually(() => expect(seen).toHaveLength(1));
    await eventually(async () =>
      expect(await schedules.runNow(job('U3', 'cccc3333'))).toBeUndefined(),
    );
    await eventually(() => expect(seen).toHaveLength(2));
  });

  it('makes again what a crash lost, and removes what it left behind', async () => {
    const prefix = freshPrefix();
    const schedules = await open(prefix);
    await schedules.put(schedule());
    await schedules.put(schedule({ id: 'kept' }));
    const queue = bullmq(prefix);
    await queue.removeJobScheduler('digest-d7k2');
    await queue.upsertJobScheduler('digest-orphan', { pattern: '0 9 * * 1' }, { name: 'digest' });
    await queue.upsertJobScheduler('of-somebody-else', { pattern: '0 9 * * 1' }, { name: 'x' });
    expect(await schedules.mend()).toEqual(['d7k2']);
    const keys = (await queue.getJobSchedulers()).map(({ key }) => key).sort();
    expect(keys).toEqual(['digest-d7k2', 'digest-kept', 'of-somebody-else']);
    expect(await schedules.mend()).toEqual([]);
  });

  it('mends a schedule whose next run is long past and has no job', async () => {
    const prefix = freshPrefix();
    const schedules = await open(prefix);
    await schedules.put(schedule());
    const queue = bullmq(prefix);
    const [job] = await queue.getDelayed();
    const { client } = redis;
    // As after a worker that fetched the job and died before it made the next one.
    await client.zadd(`${prefix}:jobs:repeat`, Date.now() - 3_600_000, 'digest-d7k2');
    await client.zrem(`${prefix}:jobs:delayed`, job?.id ?? '');
    await client.del(`${prefix}:jobs:${job?.id}`);
    expect(await schedules.mend()).toEqual(['d7k2']);
    expect(await queue.getDelayed()).toHaveLength(1);
    const next = (await schedules.get('d7k2'))?.nextAtMicros ?? 0;
    expect(next).toBeGreaterThan(Date.now() * 1000);
  });

  it('survives a restart of Redis', async () => {
    const prefix = freshPrefix();
    const schedules = await open(prefix);
    await redis.client.config('SET', 'appendfsync', 'always');
    await schedules.put(schedule());
    await redis.crash();
    await expect(schedules.list()).rejects.toMatchObject({ kind: 'queue-unavailable' });
    await redis.restart();
    await eventually(async () => {
      const [found] = await schedules.list();
      expect(found?.schedule).toEqual(schedule());
      expect(found?.nextAtMicros).toBeGreaterThan(Date.now() * 1000);
    });
  });
});
