import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryRecord } from '../../src/ports.ts';
import { createDeliveryRecord } from '../../src/queue/delivery-record.ts';
import { createFakeDeliveryRecord } from '../fakes/fake-delivery-record.ts';
import { freshPrefix, startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const adapters: Record<string, () => DeliveryRecord> = {
  'in memory': () => createFakeDeliveryRecord(),
  'in Redis': () =>
    createDeliveryRecord({
      redis: redis.client,
      prefix: freshPrefix(),
      deadlineMs: 2000,
    }),
};

describe.each(Object.entries(adapters))('delivery record %s', (_name, create) => {
  it('is empty before anything was done', async () => {
    expect(await create().read('k7f2m9qd')).toEqual({});
  });

  it('keeps the last note of each step', async () => {
    const record = create();
    await record.note('k7f2m9qd', 'text', 'one');
    await record.note('k7f2m9qd', 'text', 'two');
    await record.note('k7f2m9qd', 'files', '{"a":1}');
    await record.note('other', 'text', 'three');
    expect(await record.read('k7f2m9qd')).toEqual({ text: 'two', files: '{"a":1}' });
  });

  it('lets the first claim of a step stand', async () => {
    const record = create();
    const standing = await Promise.all([
      record.claim('k7f2m9qd', 'attach:C1', 'mine'),
      record.claim('k7f2m9qd', 'attach:C1', 'yours'),
    ]);
    expect(standing).toEqual(['mine', 'mine']);
    expect(await record.read('k7f2m9qd')).toEqual({ 'attach:C1': 'mine' });
  });
});

it('forgets a delivery some days after its last step', async () => {
  const record = createDeliveryRecord({
    redis: redis.client,
    prefix: '{test-expiry}',
    deadlineMs: 2000,
  });
  await record.note('k7f2m9qd', 'text', 'one');
  expect(await redis.client.ttl('{test-expiry}:delivery:k7f2m9qd')).toBeGreaterThan(13 * 86_400);
});
