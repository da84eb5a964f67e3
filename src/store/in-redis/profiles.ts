import type { Store } from '../../ports.ts';
import type { ProfileKey } from '../../reading.ts';
import { decodeProfile, encodeProfile } from '../profile-codec.ts';
import type { RedisStoreOptions, StoreConnection } from './connection.ts';
import { KEEP_PROFILE } from './scripts.ts';
import { memberOf, seriesOf, toProfileKey } from './series.ts';

type Profiles = Pick<Store, 'keepProfile' | 'profilesOf' | 'profile' | 'profileBefore'>;

export function profilesIn(
  connection: StoreConnection,
  { budgetBytes, profileDays }: Pick<RedisStoreOptions, 'budgetBytes' | 'profileDays'>,
): Profiles {
  const { ask, prefix, redis } = connection;

  async function profile(key: ProfileKey) {
    const bytes = await ask(() => redis.getBuffer(`${prefix}:profile:${memberOf(key)}`));
    return bytes === null ? undefined : decodeProfile(bytes);
  }

  return {
    async keepProfile(key, kept) {
      const bytes = await encodeProfile(kept);
      const expiresAtSeconds = Math.ceil(key.atMicros / 1e6) + profileDays * 86_400;
      await connection.keep(
        bytes.length,
        KEEP_PROFILE,
        ...[key.investigationId, seriesOf(key), key.atMicros, bytes, budgetBytes],
        ...[connection.oldestMicros(), expiresAtSeconds],
      );
    },

    profilesOf: (investigationId) =>
      ask(async () => {
        const members = await redis.smembers(`${prefix}:profiles-of:${investigationId}`);
        return profileKeys(connection, members);
      }),

    profile,

    async profileBefore(key) {
      const series = seriesOf(key);
      const [id, at] = await ask(() =>
        redis.zrevrangebyscore(
          `${prefix}:profiles:${series}`,
          `(${key.atMicros}`,
          connection.oldestMicros(),
          'WITHSCORES',
          'LIMIT',
          0,
          1,
        ),
      );
      if (id === undefined) return undefined;
      const before = toProfileKey(`${id}|${series}`, Number(at));
      const found = await profile(before);
      return found === undefined ? undefined : { key: before, profile: found };
    },
  };
}

async function profileKeys(
  { redis, prefix, oldestMicros }: StoreConnection,
  members: readonly string[],
): Promise<readonly ProfileKey[]> {
  if (members.length === 0) return [];
  const times = await redis.zmscore(`${prefix}:profiles`, ...members);
  return members
    .flatMap((member, index) => {
      const at = times[index] ?? null;
      // Without a time: dropped between the two looks.
      return at === null ? [] : [toProfileKey(member, Number(at))];
    })
    .filter(({ atMicros }) => atMicros >= oldestMicros())
    .sort((a, b) => b.atMicros - a.atMicros || (memberOf(a) < memberOf(b) ? -1 : 1));
}
