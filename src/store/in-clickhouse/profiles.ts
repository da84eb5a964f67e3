import {
  KEEP_PROFILE,
  profileBeforeMoment,
  profileOfKey,
  profilesOfInvestigation,
} from '../../../templates/sql/store-profiles.ts';
import type { Store } from '../../ports.ts';
import type { ProfileKey } from '../../reading.ts';
import type { Count } from '../../units.ts';
import { decodeProfile, encodeProfile } from '../profile-codec.ts';
import type { StoreConnection } from './connection.ts';
import { dateTime64 } from './date-time.ts';

type Profiles = Pick<Store, 'keepProfile' | 'profilesOf' | 'profile' | 'profileBefore'>;

export function profilesIn(connection: StoreConnection, profileDays: Count): Profiles {
  const { rows, oldestMicros } = connection;
  const seriesOf = ({ kind, target, subject }: ProfileKey) => ({
    ...{ kind, target, subject },
    oldestMicros: oldestMicros(),
  });
  return {
    async keepProfile(key, profile) {
      const bytes = await encodeProfile(profile);
      const row = {
        investigation_id: key.investigationId,
        target: key.target,
        kind: key.kind,
        subject: key.subject,
        at: dateTime64(key.atMicros),
        total_bytes: profile.totalBytes,
        stack_count: profile.stackCount,
        sample_count: profile.sampleCount ?? null,
        profile: bytes.toString('base64'),
        keep_until: Math.ceil(key.atMicros / 1e6) + profileDays * 86_400,
      };
      await connection.command(KEEP_PROFILE, {}, JSON.stringify(row));
    },

    profilesOf: (investigationId) =>
      rows(profilesOfInvestigation, { investigationId, oldestMicros: oldestMicros() }),

    async profile(key) {
      const { investigationId } = key;
      const [row] = await rows(profileOfKey, { ...seriesOf(key), investigationId });
      return row === undefined ? undefined : decodeProfile(Buffer.from(row.profile, 'base64'));
    },

    async profileBefore(key) {
      const beforeMicros = key.atMicros;
      const [row] = await rows(profileBeforeMoment, { ...seriesOf(key), beforeMicros });
      if (row === undefined) return undefined;
      const profile = await decodeProfile(Buffer.from(row.profile, 'base64'));
      return { key: row.key, profile };
    },
  };
}
