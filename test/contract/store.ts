import { afterEach, describe, expect, it } from 'vitest';
import type { Clock, Store } from '../../src/ports.ts';
import type { ProfileKey, Reading } from '../../src/reading.ts';
import { foldedOf, profileOf } from '../support/profile-of.ts';

const DAY_MICROS = 86_400e6;
/** A present moment with microseconds: servers let things go by their own clocks. */
const NOW = Math.floor(Date.now() / 1000) * 1e6 + 123;

const reading = (changes: Partial<Reading> = {}): Reading => ({
  investigationId: 'k7f2m9qd',
  target: 'chi-3',
  kind: 'frag',
  subject: '',
  atMicros: NOW,
  serverStartedAtMicros: NOW - 3 * DAY_MICROS,
  finding: 'chi-3 wastes 14.6 MiB in slabs; "merges" hold 62% of it.',
  figures: { wasteBytes: 15_309_210, activeBytes: 301_629_440, rssBytes: 2 ** 45 },
  arenas: [0, 1, 3],
  wasteClasses: [
    {
      arena: 1,
      purpose: '',
      sizeBytes: 256,
      wasteBytes: 4_928_307,
      utilisation: 0.15,
      holder: "DB::MergeTask::execute()'s \\ λ",
    },
    { purpose: 'mergetree', sizeBytes: 160, wasteBytes: 12, utilisation: 1, holder: '' },
  ],
  queryPeaks: [
    {
      queryHash: '18446744073709551615',
      queryId: '8678d8fe-0000-4000-8000-000000000001',
      user: 'default',
      peakBytes: 97_388_388_352,
      runs: 12,
    },
  ],
  ...changes,
});

const keyOf = (changes: Partial<ProfileKey> = {}): ProfileKey => ({
  investigationId: 'k7f2m9qd',
  target: 'chi-3',
  kind: 'frag',
  subject: '',
  atMicros: NOW,
  ...changes,
});

/** What every store does. `create` makes an empty one whose profiles live for `profileDays` of this clock. */
export function storeContract(
  name: string,
  create: (clock: Clock, profileDays: number) => Promise<Store & Partial<AsyncDisposable>>,
): void {
  let nowMicros = NOW;
  let opened: (Store & Partial<AsyncDisposable>) | undefined;
  const open = async () => {
    nowMicros = NOW;
    opened = await create({ nowMicros: () => nowMicros }, 30);
    return opened;
  };
  afterEach(async () => {
    await opened?.[Symbol.asyncDispose]?.();
    opened = undefined;
  });

  describe(`store ${name}`, () => {
    it('is empty at first', async () => {
      const store = await open();
      expect(await store.readings({ target: 'chi-3', kind: 'frag', limit: 9 })).toEqual([]);
      expect(await store.readingsOf('k7f2m9qd')).toEqual([]);
      expect(await store.profilesOf('k7f2m9qd')).toEqual([]);
      expect(await store.profile(keyOf())).toBeUndefined();
      expect(await store.profileBefore(keyOf())).toBeUndefined();
      expect(await store.digestState('d1')).toBeUndefined();
      expect(await store.forget('k7f2m9qd')).toEqual({ readings: 0, profiles: 0 });
      expect(await store.size()).toMatchObject({ readings: 0, profiles: 0, profileDays: 30 });
    });

    it('gives back a reading as it was, to the microsecond and the byte', async () => {
      const store = await open();
      await store.keepReading(reading());
      expect(await store.readingsOf('k7f2m9qd')).toEqual([reading()]);
      expect(await store.readings({ target: 'chi-3', kind: 'frag', limit: 9 })).toEqual([
        reading(),
      ]);
    });

    it('does not make up what a reading does not have', async () => {
      const store = await open();
      const { serverStartedAtMicros: _, ...bare } = reading({
        figures: {},
        arenas: [],
        wasteClasses: [],
        queryPeaks: [],
      });
      await store.keepReading(bare);
      expect(await store.readingsOf('k7f2m9qd')).toEqual([bare]);
    });

    it('lists the readings of one series, newest first, between two moments', async () => {
      const store = await open();
      for (const [investigationId, atMicros] of [
        ['b', NOW - 2000],
        ['a', NOW - 3000],
        ['d', NOW],
        ['c', NOW - 1000],
      ] as const) {
        await store.keepReading(reading({ investigationId, atMicros }));
      }
      await store.keepReading(reading({ target: 'chi-4' }));
      await store.keepReading(reading({ kind: 'heap' }));
      await store.keepReading(reading({ kind: 'peak', subject: '123|4' }));
      const ids = async (wanted: object) =>
        (await store.readings({ target: 'chi-3', kind: 'frag', limit: 9, ...wanted })).map(
          ({ investigationId }) => investigationId,
        );
      expect(await ids({})).toEqual(['d', 'c', 'b', 'a']);
      expect(await ids({ limit: 2 })).toEqual(['d', 'c']);
      expect(await ids({ sinceMicros: NOW - 2000 })).toEqual(['d', 'c', 'b']);
      expect(await ids({ beforeMicros: NOW - 1000 })).toEqual(['b', 'a']);
      expect(await ids({ kind: 'peak', subject: '123|4' })).toEqual(['k7f2m9qd']);
      expect(await ids({ kind: 'peak' })).toEqual([]);
    });

    it('keeps one reading when a retry keeps it again', async () => {
      const store = await open();
      await store.keepReading(reading());
      const again = reading({ atMicros: NOW + 5000, finding: 'The same once more.' });
      await store.keepReading(again);
      expect(await store.readings({ target: 'chi-3', kind: 'frag', limit: 9 })).toEqual([again]);
      expect((await store.size()).readings).toBe(1);
    });

    it('gives back a profile with its numbers', async () => {
      const store = await open();
      const profile = profileOf({ 'main;DB::insert': 4096, 'main;λ': 0.5 }, { sampleCount: 12 });
      await store.keepProfile(keyOf(), profile);
      const found = await store.profile(keyOf());
      expect(foldedOf(found!)).toEqual(foldedOf(profile));
      expect({ ...found, tree: 0 }).toEqual({ ...profile, tree: 0 });
      expect(await store.profilesOf('k7f2m9qd')).toEqual([keyOf()]);
    });

    it('finds the profile before one, of the same series only', async () => {
      const store = await open();
      const kept = [
        keyOf({ investigationId: 'old', atMicros: NOW - 9000 }),
        keyOf({ investigationId: 'before', atMicros: NOW - 5000 }),
        keyOf({ investigationId: 'other', atMicros: NOW - 10, target: 'chi-4' }),
        keyOf({ investigationId: 'heap', atMicros: NOW - 10, kind: 'heap' }),
        keyOf(),
      ];
      for (const [index, key] of kept.entries()) {
        await store.keepProfile(key, profileOf({ main: index + 1 }));
      }
      const before = await store.profileBefore(keyOf());
      expect(before?.key).toEqual(kept[1]);
      expect(before?.profile.totalBytes).toBe(2);
      expect(await store.profileBefore(kept[0]!)).toBeUndefined();
    });

    it('keeps one profile when a retry keeps it again', async () => {
      const store = await open();
      await store.keepProfile(keyOf(), profileOf({ main: 1 }));
      await store.keepProfile(keyOf({ atMicros: NOW + 7 }), profileOf({ main: 2 }));
      expect(await store.profilesOf('k7f2m9qd')).toEqual([keyOf({ atMicros: NOW + 7 })]);
      expect((await store.profile(keyOf()))?.totalBytes).toBe(2);
      expect((await store.size()).profiles).toBe(1);
    });

    it('lets profiles go after their days and keeps the readings', async () => {
      const store = await open();
      await store.keepReading(reading());
      await store.keepProfile(keyOf(), profileOf({ main: 1 }));
      nowMicros = NOW + 31 * DAY_MICROS;
      const later = keyOf({ investigationId: 'later', atMicros: nowMicros });
      await store.keepProfile(later, profileOf({ main: 2 }));
      expect(await store.profilesOf('k7f2m9qd')).toEqual([]);
      expect(await store.profileBefore(later)).toBeUndefined();
      expect(await store.readingsOf('k7f2m9qd')).toHaveLength(1);
      expect(await store.size()).toMatchObject({
        readings: 1,
        profiles: 1,
        oldestProfileAtMicros: nowMicros,
      });
    });

    it('keeps the last state of a digest, and forgets it', async () => {
      const store = await open();
      await store.keepDigestState('d1', { runs: 1 });
      await store.keepDigestState('d1', { runs: 2, targets: { 'chi-3': { wasteBytes: 7 } } });
      await store.keepDigestState('d2', { runs: 9 });
      expect(await store.digestState('d1')).toEqual({
        runs: 2,
        targets: { 'chi-3': { wasteBytes: 7 } },
      });
      await store.forgetDigest('d1');
      expect(await store.digestState('d1')).toBeUndefined();
      expect(await store.digestState('d2')).toEqual({ runs: 9 });
    });

    it('forgets one investigation and nothing else', async () => {
      const store = await open();
      await store.keepReading(reading());
      await store.keepReading(reading({ target: 'chi-4' }));
      await store.keepReading(reading({ investigationId: 'other' }));
      await store.keepProfile(keyOf(), profileOf({ main: 1 }));
      await store.keepProfile(keyOf({ investigationId: 'other' }), profileOf({ main: 1 }));
      expect(await store.forget('k7f2m9qd')).toEqual({ readings: 2, profiles: 1 });
      expect(await store.readingsOf('k7f2m9qd')).toEqual([]);
      expect(await store.profile(keyOf())).toBeUndefined();
      expect(await store.readingsOf('other')).toHaveLength(1);
      expect(await store.profilesOf('other')).toHaveLength(1);
      expect(await store.forget('k7f2m9qd')).toEqual({ readings: 0, profiles: 0 });
    });

    it('takes ids with any characters for what they are', async () => {
      const store = await open();
      const odd = 'a\'; DROP TABLE readings -- {id} \\ "';
      await store.keepReading(reading({ investigationId: odd, subject: odd }));
      expect(await store.readingsOf(odd)).toEqual([
        reading({ investigationId: odd, subject: odd }),
      ]);
      expect(await store.forget(odd)).toEqual({ readings: 1, profiles: 0 });
    });

    it('tells its size', async () => {
      const store = await open();
      await store.keepReading(reading());
      await store.keepProfile(keyOf(), profileOf({ main: 1 }));
      const size = await store.size();
      expect(size).toMatchObject({ readings: 1, profiles: 1, oldestProfileAtMicros: NOW });
      expect(size.bytes).toBeGreaterThan(100);
      expect(size.place).not.toBe('');
    });

    it('takes many writers at once', async () => {
      const store = await open();
      await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          store.keepReading(reading({ investigationId: `i${index}`, atMicros: NOW + index })),
        ),
      );
      expect(await store.readings({ target: 'chi-3', kind: 'frag', limit: 99 })).toHaveLength(40);
    });
  });
}
