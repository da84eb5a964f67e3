import { Failure } from '../failure.ts';
import { inOwnMeasure, type Measured } from '../profile/measured.ts';
import type { Profile } from '../profile/profile.ts';
import { inputName } from './profile-input.ts';

/** A profile by its own unit, or by objects. Throws `usage` when objects are asked for and the profile tells of none. */
export function measuredBy(
  profile: Profile,
  wantsCount: boolean | undefined,
  path: string,
): Measured {
  const own = inOwnMeasure(profile);
  if (own.measure === 'count' || wantsCount !== true) return own;
  if (profile.tree.selfCount !== undefined || profile.stackCount === 0) {
    return { profile, measure: 'count' };
  }
  throw new Failure('usage', {
    what: `${inputName(path)} does not tell how many objects there are`,
    why: `a ${profile.kind} profile with bytes alone`,
    fix: 'Leave --count out',
  });
}

/** Bytes cannot be compared with objects. */
export function requireSameMeasure(first: Measured, second: Measured): void {
  if (first.measure === second.measure) return;
  throw new Failure('usage', {
    what: 'One of the two counts bytes, the other objects only',
    fix: 'Add --count where both tell of objects, or give two of the same kind',
  });
}
