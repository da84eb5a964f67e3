import type { Profile } from './profile.ts';

/** A profile and which of its columns is asked for. */
export interface Measured {
  readonly profile: Profile;
  readonly measure: 'bytes' | 'count';
}

/**
 * A profile by its own unit. One that counts objects only has them where others have bytes; here they are where
 * objects belong.
 */
export function inOwnMeasure(profile: Profile): Measured {
  return profile.unit === 'count'
    ? { profile: ofObjects(profile), measure: 'count' }
    : { profile, measure: 'bytes' };
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
