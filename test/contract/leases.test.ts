import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Leases, SamplingLease } from '../../src/ports.ts';
import { createLeases } from '../../src/queue/leases.ts';
import { createFakeLeases } from '../fakes/fake-leases.ts';
import { freshPrefix, startTestRedis, type TestRedis } from '../support/redis.ts';
import { silentLog } from '../support/silent-log.ts';

const lease: SamplingLease = {
  ...{ id: 'aaaa1111', target: 'prod', profile: 'memprof_sampling', grantee: 'etl' },
  startedBy: '<@U1>',
  startedAtMicros: 1_790_000_000_000_001,
  endsAtMicros: 1_790_000_600_000_003,
  isConfirmed: false,
  place: { channel: 'C1', threadTs: '1790000000.000100' },
};

/** What every implementation does. */
function keepsThePromisesOfLeases(make: () => Leases): void {
  it('keeps the first of one id', async () => {
    const leases = make();
    expect(await leases.put(lease)).toEqual(lease);
    const again = { ...lease, endsAtMicros: lease.endsAtMicros + 1e6 };
    expect(await leases.put(again)).toEqual(lease);
    expect(await leases.list()).toEqual([lease]);
  });

  it('confirms, and only ever shortens', async () => {
    const leases = make();
    await leases.put(lease);
    await leases.confirm(lease.id);
    await leases.shorten(lease.id, lease.endsAtMicros + 5);
    expect(await leases.list()).toEqual([{ ...lease, isConfirmed: true }]);
    await leases.shorten(lease.id, lease.startedAtMicros + 5);
    expect(await leases.list()).toEqual([
      { ...lease, isConfirmed: true, endsAtMicros: lease.startedAtMicros + 5 },
    ]);
  });

  it('does not bring back what was removed', async () => {
    const leases = make();
    await leases.put(lease);
    await leases.remove(lease.id);
    await leases.confirm(lease.id);
    await leases.shorten(lease.id, 1);
    await leases.remove(lease.id);
    expect(await leases.list()).toEqual([]);
  });
}

describe('leases in memory', () => keepsThePromisesOfLeases(createFakeLeases));

describe('leases in Redis', () => {
  let redis: TestRedis;
  const made: AsyncDisposable[] = [];
  beforeAll(async () => {
    redis = await startTestRedis();
  });
  afterAll(async () => {
    for (const one of made) await one[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  });
  const makeWith = (prefix: string) => {
    const leases = createLeases({ redis: redis.client, prefix, deadlineMs: 2000, log: silentLog });
    made.push(leases);
    return leases;
  };
  keepsThePromisesOfLeases(() => makeWith(freshPrefix()));

  it('has a job wake a worker when one ends', async () => {
    const prefix = freshPrefix();
    await makeWith(prefix).put({ ...lease, endsAtMicros: (Date.now() + 3_600_000) * 1000 });
    expect(await redis.client.zrange(`${prefix}:jobs:delayed`, '0', '-1')).toEqual([
      'lease-end-aaaa1111',
    ]);
  });

  it('says that Redis is away', async () => {
    const leases = makeWith(freshPrefix());
    await redis.crash();
    await expect(leases.list()).rejects.toMatchObject({ kind: 'store-unavailable' });
    await redis.restart();
    await expect.poll(() => leases.list().catch(() => 'away'), { timeout: 10_000 }).toEqual([]);
  });
});
