import { describe, expect, it } from 'vitest';
import { diff } from '../../jobs/diff.ts';
import type { Reply } from '../../jobs/job.ts';
import { wordsOfArguments } from '../../src/command.ts';
import { Failure } from '../../src/failure.ts';
import type { Store } from '../../src/ports.ts';
import type { Profile } from '../../src/profile/profile.ts';
import type { ProfileKey, Reading } from '../../src/reading.ts';
import { messageAsText } from '../../templates/text/message.ts';
import { createFakeStore } from '../fakes/fake-store.ts';
import { createTestDesk, sampleInvestigation } from '../support/desk.ts';
import { jobContext, sampleMoment } from '../support/job-context.ts';
import { profileOf } from '../support/profile-of.ts';

const MIB = 2 ** 20;
const DAY_MICROS = 86_400e6;

const keyOf = (investigationId: string, changes: Partial<ProfileKey> = {}): ProfileKey => ({
  ...{ investigationId, target: 'prod', kind: 'heap', subject: '', atMicros: sampleMoment },
  ...changes,
});

async function keep(store: Store, key: ProfileKey, profile: Profile): Promise<void> {
  const reading: Reading = {
    ...key,
    finding: `${key.target} holds ${profile.totalBytes} bytes.`,
    ...{ figures: {}, arenas: [], wasteClasses: [], queryPeaks: [] },
  };
  await store.keepReading(reading);
  await store.keepProfile(key, profile);
}

const before = {
  'main;DB::Aggregator::execute': 100 * MIB,
  'main;DB::MergeTask::execute': 50 * MIB,
  'main;DB::LRUCache::set': 30 * MIB,
};
const after = {
  'main;DB::Aggregator::execute': 260 * MIB,
  'main;DB::LRUCache::set': 20 * MIB,
  'main;DB::HashJoin::addBlock': 40 * MIB,
};

async function storeWithTwo(changes: Partial<ProfileKey> = {}) {
  const store = createFakeStore({ nowMicros: () => sampleMoment });
  const earlier = keyOf('before01', { atMicros: sampleMoment - 7 * DAY_MICROS, ...changes });
  await keep(store, earlier, profileOf(before));
  await keep(store, keyOf('after001'), profileOf(after));
  return store;
}

async function ask(command: string, store: Store | undefined): Promise<Reply> {
  const { args } = diff.read(wordsOfArguments(command.split(' ')));
  const context = jobContext();
  const ports = store === undefined ? context.ports : { ...context.ports, store };
  return diff.run(args, { ...context, ports });
}

const shown = (reply: Reply) => messageAsText([...reply.head, ...reply.tail]);

describe('diff', () => {
  it('says what grew, shrank, came and went, in bytes, with both totals and times', async () => {
    const reply = await ask('before01 after001', await storeWithTwo());
    expect(reply.finding).toBe(
      'The live heap of prod grew from 180.00 MiB to 320.00 MiB (+140.00 MiB, ×1.8); most of the change is Aggregator::execute, +160.00 MiB.',
    );
    await expect(shown(reply)).toMatchFileSnapshot('../golden/messages/diff.txt');
  });

  it('draws what changed, unless nothing did', async () => {
    const { pictures, finding } = await ask('before01 after001', await storeWithTwo());
    expect(pictures).toMatchObject([
      { name: 'diff-flame', alt: finding, request: { kind: 'diff' } },
    ]);
    const store = await storeWithTwo();
    await keep(store, keyOf('again001'), profileOf(after));
    expect((await ask('after001 again001', store)).pictures).toEqual([]);
  });

  it('gives the rows as JSON, after minus before', async () => {
    const { json } = await ask('before01 after001', await storeWithTwo());
    expect(json).toMatchObject({ beforeTotal: 180 * MIB, afterTotal: 320 * MIB, unit: 'bytes' });
    expect(json.rows).toMatchObject([
      { name: 'DB::Aggregator::execute', change: 160 * MIB, kind: 'grown' },
      { name: 'DB::MergeTask::execute', change: -50 * MIB, kind: 'gone' },
      { name: 'DB::HashJoin::addBlock', change: 40 * MIB, kind: 'new' },
      { name: 'DB::LRUCache::set', change: -10 * MIB, kind: 'shrunk' },
    ]);
  });

  it('compares objects where a profile counts nothing else, and bytes with objects never', async () => {
    const store = createFakeStore({ nowMicros: () => sampleMoment });
    // As collapsed text by count is read: the numbers stand where bytes would.
    const counts = (stacks: Readonly<Record<string, number>>) =>
      profileOf(stacks, { unit: 'count' });
    const earlier = keyOf('before01', { atMicros: sampleMoment - DAY_MICROS });
    await keep(store, earlier, counts({ 'main;f': 10, 'main;g': 5 }));
    await keep(store, keyOf('after001'), counts({ 'main;f': 30, 'main;g': 5 }));
    const { json, pictures } = await ask('before01 after001', store);
    expect(json).toMatchObject({ unit: 'count', beforeTotal: 15, afterTotal: 35 });
    expect(json.rows).toMatchObject([{ name: 'f', change: 20, kind: 'grown' }]);
    expect(pictures).toMatchObject([{ request: { measure: 'count', after: { totalCount: 35 } } }]);
    await keep(store, keyOf('bytes001'), profileOf(after));
    await expect(ask('before01 bytes001', store)).rejects.toThrow(
      'These two cannot be compared. One counts bytes, the other objects only.',
    );
  });

  it('takes the one before it as the baseline when only one is named', async () => {
    const store = await storeWithTwo();
    await keep(store, keyOf('other', { target: 'staging' }), profileOf(before));
    for (const command of ['after001', 'after001 baseline', 'AFTER001']) {
      expect((await ask(command, store)).json).toMatchObject({
        before: { investigationId: 'before01' },
        after: { investigationId: 'after001' },
      });
    }
    await expect(ask('before01', store)).rejects.toMatchObject({
      kind: 'not-found',
      message:
        'There is nothing to compare investigation before01 with. No earlier heap of prod is kept. Name two investigations: diff <before> <after>.',
    });
  });

  it('keeps the order in which they are named, and says when it is against time', async () => {
    const reply = await ask('after001 before01', await storeWithTwo());
    expect(reply.finding).toMatch(/^The live heap of prod shrank from 320\.00 MiB to 180\.00 MiB/);
    expect(shown(reply)).toContain('7 d earlier: the order is as you gave it');
  });

  it('says which server is which when they are two', async () => {
    const reply = await ask('before01 after001', await storeWithTwo({ target: 'chi-2' }));
    expect(reply.finding).toMatch(/^The live heap of chi-2 \(before\) and prod \(after\) grew/);
  });

  it('finds nothing in two equal ones', async () => {
    const store = createFakeStore({ nowMicros: () => sampleMoment });
    await keep(store, keyOf('before01', { atMicros: sampleMoment - 1 }), profileOf(before));
    await keep(store, keyOf('after001'), profileOf(before));
    const reply = await ask('before01 after001', store);
    expect(reply.finding).toBe(
      'The live heap of prod stayed at 180.00 MiB; nothing in it changed.',
    );
  });

  it('warns when the two hardly share a function', async () => {
    const store = createFakeStore({ nowMicros: () => sampleMoment });
    await keep(store, keyOf('before01', { atMicros: sampleMoment - 1 }), profileOf(before));
    await keep(store, keyOf('after001'), profileOf({ 'main;other': 180 * MIB }));
    expect(shown(await ask('before01 after001', store))).toContain(
      'Only 0% of the bytes end in functions that both know.',
    );
  });

  it('says that a ledger has no profile to compare', async () => {
    const store = await storeWithTwo();
    await store.keepReading({
      ...keyOf('ledger01', { kind: 'stats' }),
      finding: 'prod holds 3 GiB.',
      ...{ figures: {}, arenas: [], wasteClasses: [], queryPeaks: [] },
    });
    await expect(ask('ledger01 after001', store)).rejects.toMatchObject({
      kind: 'usage',
      what: 'Investigation ledger01 cannot be compared',
    });
  });

  it('tells what is left when a profile has been let go', async () => {
    let nowMicros = sampleMoment;
    const store = createFakeStore({ nowMicros: () => nowMicros }, 90);
    await keep(store, keyOf('before01'), profileOf(before));
    nowMicros += 91 * DAY_MICROS;
    await keep(store, keyOf('after001', { atMicros: nowMicros }), profileOf(after));
    await expect(ask('before01 after001', store)).rejects.toThrow(
      `There is no kept profile of investigation before01. Profiles are kept for 90 days, and all that is left of it is what it found: prod holds ${180 * MIB} bytes. Run it again and compare with that.`,
    );
    await expect(ask('nothing1 after001', store)).rejects.toThrow(
      'There is no kept profile of investigation nothing1. Nothing was ever kept of it, or it is forgotten.',
    );
  });

  it('compares only what is of one kind', async () => {
    const store = await storeWithTwo({ kind: 'peak', subject: '123' });
    await expect(ask('before01 after001', store)).rejects.toThrow(
      'These two cannot be compared. The first kept peak, the second heap. Compare two investigations of the same verb.',
    );
  });

  it.each([
    ['', 'diff compares two investigations'],
    ['a b', 'a is not the id of an investigation'],
    ['before01 after001 third001', 'diff compares two investigations'],
    ['before01 after001 kind:cpu', 'There are no profiles of the kind cpu'],
  ])('refuses "%s" with a sentence', (command, what) => {
    const words = command.split(' ').filter((word) => word !== '');
    expect(() => diff.read(wordsOfArguments(words))).toThrow(what);
  });

  it('needs a store', async () => {
    await expect(ask('before01 after001', undefined)).rejects.toThrow(
      /There is no store to compare from\..*memprof diff BEFORE AFTER/,
    );
  });
});

describe('who may compare', () => {
  const locate = async (command: string, changes: Parameters<typeof createTestDesk>[0] = {}) => {
    const store = await storeWithTwo({ target: 'chi-2' });
    const desk = { ...createTestDesk(changes, { members: { C1: ['U1'], C9: ['U9'] } }), store };
    await desk.investigations.open(
      sampleInvestigation({ id: 'before01', channel: 'C9', user: 'U9' }),
    );
    await desk.investigations.open(sampleInvestigation({ id: 'after001' }));
    const { args } = diff.read(wordsOfArguments(command.split(' ')));
    return diff.locate?.(args, desk);
  };

  it('is told which server it concerns, and asked for the right on each', async () => {
    const asked: unknown[] = [];
    const requireRight = (...ask: unknown[]) => {
      asked.push(ask);
    };
    expect(await locate('after001', { requireRight })).toBe('prod');
    expect(asked).toEqual([['diff', 'prod', 'C1']]);
  });

  it('does not see an investigation of a channel that he is not in', async () => {
    await expect(locate('before01 after001')).rejects.toThrow(
      'There is no investigation before01 that you may see',
    );
  });

  it('hears the refusal of the rights', async () => {
    const requireRight = () => {
      throw new Failure('not-allowed', { what: 'You may not use diff on prod from here' });
    };
    await expect(locate('after001', { requireRight })).rejects.toMatchObject({
      kind: 'not-allowed',
    });
  });
});
