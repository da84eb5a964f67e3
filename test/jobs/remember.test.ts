import { describe, expect, it } from 'vitest';
import type { Kept, Reply } from '../../jobs/job.ts';
import { remember } from '../../jobs/remember.ts';
import { Failure } from '../../src/failure.ts';
import { context, section } from '../../templates/message/blocks.ts';
import { messageAsText } from '../../templates/text/message.ts';
import { createFakeStore } from '../fakes/fake-store.ts';
import { profileOf } from '../support/profile-of.ts';

const kept: Kept = {
  reading: {
    ...{ investigationId: 'k7f2m9qd', target: 'prod', kind: 'frag', subject: '', atMicros: 1e15 },
    ...{ finding: 'x', figures: {}, arenas: [], wasteClasses: [], queryPeaks: [] },
  },
  profile: profileOf({ main: 1 }),
};

const reply: Reply = {
  ...{ finding: 'x', pictures: [], threadPictures: [], files: [], json: {}, keep: kept },
  head: [section('The finding')],
  tail: [context('Investigation k7f2m9qd')],
};

describe('remember', () => {
  it('keeps the reading and the profile', async () => {
    const store = createFakeStore({ nowMicros: () => 1e15 });
    expect(await remember(reply, store)).toBe(reply);
    expect(await store.readingsOf('k7f2m9qd')).toHaveLength(1);
    expect(await store.profilesOf('k7f2m9qd')).toHaveLength(1);
  });

  it('answers all the same when the store is full, and says why', async () => {
    const full = async () => {
      throw new Failure('store-full', { what: 'The store is full', fix: 'Raise store.budgetMiB' });
    };
    const store = { ...createFakeStore(), keepProfile: full };
    const answer = await remember(reply, store);
    expect(messageAsText([...answer.head, ...answer.tail])).toBe(
      [
        'The finding',
        'Not kept for later comparison. The store is full. Raise store.budgetMiB. [E407]',
        'Investigation k7f2m9qd\n',
      ].join('\n\n'),
    );
  });

  it('has nothing to do where nothing is kept', async () => {
    expect(await remember(reply, undefined)).toBe(reply);
    const { keep: _, ...bare } = reply;
    expect(await remember(bare, createFakeStore())).toBe(bare);
  });

  it('does not hide a fault of memprof', async () => {
    const store = {
      ...createFakeStore(),
      keepReading: () => Promise.reject(new TypeError('oops')),
    };
    await expect(remember(reply, store)).rejects.toThrow('oops');
  });
});
