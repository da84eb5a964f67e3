import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProfileKey, Reading } from '../../src/reading.ts';
import { createRedisStore } from '../../src/store/in-redis/store.ts';
import { profileOf } from '../support/profile-of.ts';
import { freshPrefix, startTestRedis, type TestRedis } from '../support/redis.ts';
import { silentLog } from '../support/silent-log.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const NOW = Date.now() * 1000;

function open(budgetBytes: number, prefix = freshPrefix(), deadlineMs = 5000) {
  return createRedisStore({
    url: redis.url,
    prefix,
    budgetBytes,
    profileDays: 30,
    deadlineMs,
    clock: { nowMicros: () => NOW },
    log: silentLog,
  });
}

const keyOf = (investigationId: string, atMicros = NOW): ProfileKey => ({
  investigationId,
  target: 'chi-3',
  kind: 'heap',
  subject: '',
  atMicros,
});

/** About a kilobyte that does not compress. */
const noisy = (seed: number) =>
  profileOf(
    Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `frame${(seed * 7919 + index * 104_729) % 1_000_003}`,
        Math.abs(Math.sin(seed * 1000 + index)) * 1e9,
      ]),
    ),
  );

const readingOf = (investigationId: string, finding: string): Reading => ({
  investigationId,
  target: 'chi-3',
  kind: 'frag',
  subject: '',
  atMicros: NOW,
  finding,
  figures: {},
  arenas: [],
  wasteClasses: [],
  queryPeaks: [],
});

describe('the budget of the store in Redis', () => {
  it('lets the oldest profiles go first, whenever they were kept', async () => {
    await using store = open(4000);
    await store.keepProfile(keyOf('second', NOW - 2000), noisy(1));
    await store.keepProfile(keyOf('first', NOW - 3000), noisy(2));
    for (let index = 0; index < 4; index += 1) {
      await store.keepProfile(keyOf(`later${index}`, NOW - 1000 + index), noisy(3 + index));
    }
    const { bytes, profiles } = await store.size();
    expect(bytes).toBeLessThanOrEqual(4000);
    expect(profiles).toBeGreaterThan(2);
    expect(await store.profilesOf('first')).toEqual([]);
    expect(await store.profilesOf('later3')).toHaveLength(1);
  });

  it('drops profiles for a reading, but never a reading for a profile', async () => {
    await using store = open(5500);
    await store.keepProfile(keyOf('profile'), noisy(1));
    for (let index = 0; index < 5; index += 1) {
      await store.keepReading(readingOf(`r${index}`, 'x'.repeat(800)));
    }
    expect(await store.profilesOf('profile')).toEqual([]);
    expect(await store.size()).toMatchObject({ readings: 5, profiles: 0 });
    await expect(store.keepProfile(keyOf('again'), noisy(1))).rejects.toMatchObject({
      kind: 'store-full',
      message: expect.stringMatching(
        /^The store \(Redis at 127\.0\.0\.1:\d+\) is full, so this was not kept\. .* do not fit its budget of 5\.37 KiB beside the readings, which are kept for ever\. Raise store\.budgetMiB/,
      ),
    });
    expect(await store.size()).toMatchObject({ readings: 5 });
  });

  it('refuses what is larger than the budget without dropping anything for it', async () => {
    await using store = open(2500);
    await store.keepProfile(keyOf('small'), profileOf({ main: 1 }));
    await expect(store.keepReading(readingOf('large', 'x'.repeat(3000)))).rejects.toMatchObject({
      kind: 'store-full',
    });
    expect(await store.profilesOf('small')).toHaveLength(1);
  });

  it('knows its size again after things were replaced and forgotten', async () => {
    await using store = open(100_000);
    for (let index = 0; index < 3; index += 1) {
      await store.keepProfile(keyOf('same', NOW + index), noisy(index));
      await store.keepReading(readingOf('same', 'x'.repeat(100 * index)));
    }
    await store.forget('same');
    expect(await store.size()).toMatchObject({ readings: 0, profiles: 0, bytes: 0 });
  });
});

describe('the store in a Redis that is nearly full', () => {
  it('refuses before the queue in it runs out of memory', async () => {
    const { client } = redis;
    const used = Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]);
    await client.config('SET', 'maxmemory', Math.floor(used * 1.1));
    try {
      await using store = open(2 ** 30);
      await expect(store.keepProfile(keyOf('p'), noisy(1))).rejects.toMatchObject({
        kind: 'store-full',
        why: expect.stringMatching(
          /its Redis uses .* of .*, and memprof keeps nothing that would bring it above 80%/,
        ),
        fix: expect.stringContaining('store.url'),
      });
      await expect(store.keepReading(readingOf('r', 'x'))).rejects.toMatchObject({
        kind: 'store-full',
      });
      await expect(store.keepDigestState('d', {})).rejects.toMatchObject({ kind: 'store-full' });
      // Reading and forgetting still work.
      expect(await store.readingsOf('r')).toEqual([]);
      await store.forget('r');
    } finally {
      await client.config('SET', 'maxmemory', 0);
    }
  });
});

describe('the store in a Redis of another age', () => {
  it('refuses a newer schema with a sentence and leaves it alone', async () => {
    const prefix = freshPrefix();
    await redis.client.set(`${prefix}:schema`, 7);
    await using store = open(100_000, prefix);
    await expect(store.keepReading(readingOf('r', 'x'))).rejects.toMatchObject({
      kind: 'environment',
      message: expect.stringMatching(
        /was written by a newer memprof\. It has schema 7, and this memprof knows schemas up to 1\./,
      ),
    });
    expect(await redis.client.keys(`${prefix}:*`)).toEqual([`${prefix}:schema`]);
  });
});

describe('the store in a Redis that is gone', () => {
  it('says so in time and works again when Redis is back', async () => {
    await using own = await startTestRedis();
    await using store = createRedisStore({
      url: own.url,
      prefix: freshPrefix(),
      budgetBytes: 100_000,
      profileDays: 30,
      deadlineMs: 500,
      clock: { nowMicros: () => NOW },
      log: silentLog,
    });
    await store.keepReading(readingOf('before', 'x'));
    await own.client.config('SET', 'appendfsync', 'always');
    await store.keepReading(readingOf('synced', 'x'));
    await own.crash();
    await expect(store.readingsOf('before')).rejects.toMatchObject({
      kind: 'store-unavailable',
      message: expect.stringMatching(
        /^The store \(Redis at .*\) cannot be reached, so nothing can be kept or compared\./,
      ),
    });
    await own.restart();
    await expect
      .poll(() => store.readingsOf('synced').catch(() => []), { timeout: 10_000 })
      .toHaveLength(1);
  });
});
