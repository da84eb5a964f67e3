import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Investigation } from '../../src/investigation.ts';
import type { Investigations } from '../../src/ports.ts';
import { createInvestigations } from '../../src/queue/investigations.ts';
import { createFakeInvestigations } from '../fakes/fake-investigations.ts';
import { freshPrefix, startTestRedis, type TestRedis } from '../support/redis.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

const adapters: Record<string, () => Investigations> = {
  'in memory': () => createFakeInvestigations(),
  'in Redis': () =>
    createInvestigations({
      redis: redis.client,
      prefix: freshPrefix(),
      deadlineMs: 2000,
    }),
};

const opened = (changes: Partial<Investigation> = {}): Investigation => ({
  id: 'k7f2m9qd',
  state: 'opening',
  command: 'peak 8678d8fe on:prod',
  verb: 'peak',
  target: 'prod',
  user: 'U1',
  channel: 'C1',
  openedAtMicros: 1_790_000_000_000_000,
  request: { verb: 'peak', args: { queryId: '8678d8fe' } },
  ...changes,
});

describe.each(Object.entries(adapters))('investigations %s', (_name, create) => {
  it('gives back what was opened', async () => {
    const store = create();
    expect(await store.open(opened())).toBe(true);
    expect(await store.get('k7f2m9qd')).toEqual(opened());
    expect(await store.get('other')).toBeUndefined();
  });

  it('refuses the same request a second time and keeps what it knows of the first', async () => {
    const store = create();
    await store.open(opened());
    await store.note('k7f2m9qd', { state: 'queued', ts: '1790000000.000100' });
    expect(await store.open(opened({ user: 'U2' }))).toBe(false);
    expect(await store.get('k7f2m9qd')).toEqual(
      opened({ state: 'queued', ts: '1790000000.000100' }),
    );
  });

  it('opens one of many equal requests that come at once', async () => {
    const store = create();
    const answers = await Promise.all(Array.from({ length: 20 }, () => store.open(opened())));
    expect(answers.filter(Boolean)).toHaveLength(1);
  });

  it('notes what changes and leaves the rest', async () => {
    const store = create();
    await store.open(opened());
    await store.note('k7f2m9qd', { state: 'running', stage: 'reading samples' });
    await store.note('k7f2m9qd', { state: 'answered', finding: 'Peak 3.2 GiB.' });
    expect(await store.get('k7f2m9qd')).toEqual(
      opened({ state: 'answered', stage: 'reading samples', finding: 'Peak 3.2 GiB.' }),
    );
  });

  it('does not go back to the queue once a worker has begun', async () => {
    const store = create();
    await store.open(opened());
    await store.note('k7f2m9qd', { state: 'running' });
    await store.note('k7f2m9qd', { state: 'queued', ts: '1790000000.000100' });
    expect(await store.get('k7f2m9qd')).toEqual(
      opened({ state: 'running', ts: '1790000000.000100' }),
    );
  });

  it('does not make an investigation out of a note about one that it does not know', async () => {
    const store = create();
    await store.note('gone', { state: 'answered' });
    expect(await store.get('gone')).toBeUndefined();
  });

  it("lists a person's last ones, newest first", async () => {
    const store = create();
    for (const [id, user, at] of [
      ['a', 'U1', 1],
      ['b', 'U2', 2],
      ['c', 'U1', 3],
      ['d', 'U1', 2],
    ] as const) {
      await store.open(opened({ id, user, openedAtMicros: at }));
    }
    expect((await store.recent('U1', 2)).map(({ id }) => id)).toEqual(['c', 'd']);
    expect(await store.recent('U9', 2)).toEqual([]);
  });

  it('hands a stale opening to one taker only', async () => {
    const store = create();
    await store.open(opened({ id: 'stale', openedAtMicros: 1000 }));
    await store.open(opened({ id: 'fresh', openedAtMicros: 5000 }));
    const taken = await Promise.all([store.takeStaleOpening(2000), store.takeStaleOpening(2000)]);
    expect(taken.map((found) => found?.id)).toEqual(['stale', undefined]);
  });

  it('does not hand out an opening that somebody is still at', async () => {
    const store = create();
    await store.open(opened({ openedAtMicros: 1000 }));
    await store.note('k7f2m9qd', { state: 'opening' });
    expect(await store.takeStaleOpening(2000)).toBeUndefined();
    expect(await store.get('k7f2m9qd')).toMatchObject({ state: 'opening' });
  });

  it('has no stale opening once it is queued', async () => {
    const store = create();
    await store.open(opened({ openedAtMicros: 1000 }));
    await store.note('k7f2m9qd', { state: 'queued' });
    expect(await store.takeStaleOpening(2000)).toBeUndefined();
  });
});

it('forgets an investigation some days after its last change', async () => {
  const store = createInvestigations({
    redis: redis.client,
    prefix: '{test-expiry}',
    deadlineMs: 2000,
  });
  await store.open(opened());
  await store.note('k7f2m9qd', { state: 'queued' });
  const seconds = await redis.client.ttl('{test-expiry}:investigation:k7f2m9qd');
  expect(seconds).toBeGreaterThan(13 * 86_400);
  expect(seconds).toBeLessThanOrEqual(14 * 86_400);
});
