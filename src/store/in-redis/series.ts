import type { ProfileKey, ReadingKind } from '../../reading.ts';
import type { EpochMicros } from '../../units.ts';

/** Readings or profiles that can be compared with each other. */
export type Series = Pick<ProfileKey, 'kind' | 'target' | 'subject'>;

/** Kinds and targets hold no bars; a subject may. */
export function seriesOf({ kind, target, subject }: Series): string {
  return `${kind}|${target}|${subject}`;
}

export function memberOf(key: ProfileKey): string {
  return `${key.investigationId}|${seriesOf(key)}`;
}

export function toProfileKey(member: string, atMicros: EpochMicros): ProfileKey {
  const [investigationId = '', kind = '', target = '', ...subject] = member.split('|');
  // Only `memberOf` makes members.
  const known = kind as ReadingKind;
  return { investigationId, kind: known, target, subject: subject.join('|'), atMicros };
}
