import { Failure } from '../failure.ts';
import type { Profile } from '../profile/profile.ts';
import { inputName } from './profile-input.ts';

/** A profile and which of its columns is asked for. */
export interface Measured {
  readonly profile: Profile;
  readonly measure: 'bytes' | 'count';
}

/**
 * A profile that counts objects only has them where others have bytes; here they are where objects belong. Throws
 * `usage` when objects are asked for and the profile tells of none.
 */
export function measuredBy(
  profile: Profile,
  wantsCount: boolean | undefined,
  path: string,
): Measured {
  if (profile.unit === 'count') return { profile: ofObjects(profile), measure: 'count' };
  if (wantsCount !== true) return { profile, measure: 'bytes' };
  if (profile.tree.selfCount !== undefined || profile.stackCount === 0) {
    return { profile, measure: 'count' };
  }
  throw new Failure('usage', {
    what: `${inputName(path)} does not tell how many objects there are`,
    why: `a ${profile.kind} profile with bytes alone`,
    fix: 'Leave --count out',
  });
}

function ofObjects(profile: Profile): Profile {
  const { tree, totalBytes } = profile;
  return {
    ...profile,
    totalBytes: 0,
    totalCount: totalBytes,
    tree: { ...tree, selfCount: tree.selfBytes, selfBytes: new Float64Array(tree.nodeCount) },
  };
}

/** Bytes cannot be compared with objects. */
export function requireSameMeasure(first: Measured, second: Measured): void {
  if (first.measure === second.measure) return;
  throw new Failure('usage', {
    what: 'One of the two counts bytes, the other objects only',
    fix: 'Add --count where both tell of objects, or give two of the same kind',
  });
}
