import type { PlainData } from '../../src/investigation.ts';
import type { Clock, Store } from '../../src/ports.ts';
import type { Profile } from '../../src/profile/profile.ts';
import type { ProfileKey, Reading } from '../../src/reading.ts';

const DAY_MICROS = 86_400e6;

type Series = Pick<ProfileKey, 'kind' | 'target' | 'subject'>;

/** The store in memory. */
export function createFakeStore(
  clock: Clock = { nowMicros: () => Date.now() * 1000 },
  profileDays = 90,
): Store {
  const series = new Map<string, Map<string, Reading>>();
  const profiles = new Map<string, { readonly key: ProfileKey; readonly profile: Profile }>();
  const digests = new Map<string, PlainData>();
  const isSame = (a: Series, b: Series) =>
    a.kind === b.kind && a.target === b.target && a.subject === b.subject;
  const seriesOf = ({ kind, target, subject }: Series) => {
    const name = JSON.stringify([kind, target, subject]);
    const known = series.get(name) ?? new Map<string, Reading>();
    series.set(name, known);
    return known;
  };
  const nameOf = ({ investigationId, kind, target, subject }: ProfileKey | Reading) =>
    JSON.stringify([investigationId, kind, target, subject]);
  const kept = () => [...series.values()].flatMap((readings) => [...readings.values()]);
  const living = () =>
    [...profiles.values()]
      .filter(({ key }) => key.atMicros >= clock.nowMicros() - profileDays * DAY_MICROS)
      .sort((a, b) => b.key.atMicros - a.key.atMicros);

  return {
    async keepReading(reading) {
      seriesOf(reading).set(reading.investigationId, structuredClone(reading));
    },
    async readings({ target, kind, subject = '', sinceMicros, beforeMicros, limit }) {
      return [...seriesOf({ target, kind, subject }).values()]
        .filter(({ atMicros }) => atMicros >= (sinceMicros ?? 0))
        .filter(({ atMicros }) => atMicros < (beforeMicros ?? Number.POSITIVE_INFINITY))
        .sort((a, b) => b.atMicros - a.atMicros)
        .slice(0, limit);
    },
    async readingsOf(investigationId) {
      return [...series.values()]
        .flatMap((readings) => readings.get(investigationId) ?? [])
        .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    },
    async keepProfile(key, profile) {
      profiles.set(nameOf(key), structuredClone({ key, profile }));
    },
    async profilesOf(investigationId) {
      return living()
        .map(({ key }) => key)
        .filter((key) => key.investigationId === investigationId);
    },
    async profile(key) {
      return living().find((kept) => nameOf(kept.key) === nameOf(key))?.profile;
    },
    async profileBefore(key) {
      return living().find((kept) => isSame(kept.key, key) && kept.key.atMicros < key.atMicros);
    },
    async digestState(digestId) {
      return digests.get(digestId);
    },
    async keepDigestState(digestId, state) {
      digests.set(digestId, structuredClone(state));
    },
    async forgetDigest(digestId) {
      digests.delete(digestId);
    },
    async forget(investigationId) {
      const readings = [...series.values()].filter((one) => one.delete(investigationId)).length;
      const names = [...profiles.keys()].filter((name) => JSON.parse(name)[0] === investigationId);
      for (const name of names) profiles.delete(name);
      return { readings, profiles: names.length };
    },
    async size() {
      const oldest = living().at(-1)?.key.atMicros;
      return {
        place: 'memory',
        readings: kept().length,
        profiles: living().length,
        bytes: JSON.stringify(kept()).length + living().length,
        profileDays,
        ...(oldest === undefined ? {} : { oldestProfileAtMicros: oldest }),
      };
    },
  };
}
