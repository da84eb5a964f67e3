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
  const readings = new Map<string, Reading>();
  const profiles = new Map<string, { readonly key: ProfileKey; readonly profile: Profile }>();
  const digests = new Map<string, PlainData>();
  const isSame = (a: Series, b: Series) =>
    a.kind === b.kind && a.target === b.target && a.subject === b.subject;
  const nameOf = ({ investigationId, kind, target, subject }: ProfileKey | Reading) =>
    JSON.stringify([investigationId, kind, target, subject]);
  const living = () =>
    [...profiles.values()]
      .filter(({ key }) => key.atMicros >= clock.nowMicros() - profileDays * DAY_MICROS)
      .sort((a, b) => b.key.atMicros - a.key.atMicros);

  return {
    async keepReading(reading) {
      readings.set(nameOf(reading), structuredClone(reading));
    },
    async readings({ target, kind, subject = '', sinceMicros, beforeMicros, limit }) {
      return [...readings.values()]
        .filter((reading) => isSame(reading, { target, kind, subject }))
        .filter(({ atMicros }) => atMicros >= (sinceMicros ?? 0))
        .filter(({ atMicros }) => atMicros < (beforeMicros ?? Number.POSITIVE_INFINITY))
        .sort((a, b) => b.atMicros - a.atMicros)
        .slice(0, limit);
    },
    async readingsOf(investigationId) {
      return [...readings.values()]
        .filter((reading) => reading.investigationId === investigationId)
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
      const drop = (map: Map<string, unknown>) => {
        const names = [...map.keys()].filter((name) => JSON.parse(name)[0] === investigationId);
        for (const name of names) map.delete(name);
        return names.length;
      };
      return { readings: drop(readings), profiles: drop(profiles) };
    },
    async size() {
      const oldest = living().at(-1)?.key.atMicros;
      return {
        place: 'memory',
        readings: readings.size,
        profiles: living().length,
        bytes: JSON.stringify([...readings.values()]).length + living().length,
        profileDays,
        ...(oldest === undefined ? {} : { oldestProfileAtMicros: oldest }),
      };
    },
  };
}
