import type { CallTree } from './call-tree.ts';
import { mergeTrees, spread } from './merge-trees.ts';
import type { Profile } from './profile.ts';

/**
 * A profile with a base taken away, as `jeprof --base` does: stack by stack, what shrank stays as a negative amount.
 * Stacks are matched by the names of their frames, so a base from before a restart can be taken away as well.
 */
export function subtractBase(profile: Profile, base: Profile): Profile {
  const tree = subtractTree(profile.tree, base.tree);
  return {
    ...profile,
    tree,
    totalBytes: profile.totalBytes - base.totalBytes,
    totalCount: profile.totalCount - base.totalCount,
    stackCount: tree.selfBytes.reduce((stacks, bytes) => stacks + (bytes === 0 ? 0 : 1), 0),
    ...withSamples(profile.sampleCount, base.sampleCount),
    notes: [...profile.notes, 'A base was taken away: negative amounts are what shrank'],
  };
}

function subtractTree(from: CallTree, base: CallTree): CallTree {
  const { tree, first, second } = mergeTrees(from, base);
  const minus = (a: Float64Array | undefined, b: Float64Array | undefined): Float64Array => {
    const taken = spread(b, second, tree.nodeCount);
    return spread(a, first, tree.nodeCount).map((value, node) => value - (taken[node] as number));
  };
  const { selfBytes, selfCount, selfSamples, ...shape } = tree;
  return {
    ...shape,
    selfBytes: minus(from.selfBytes, base.selfBytes),
    ...(selfCount && { selfCount: minus(from.selfCount, base.selfCount) }),
    // A difference rests on the samples of both sides.
    ...(selfSamples && { selfSamples }),
  };
}

function withSamples(first: number | undefined, second: number | undefined): Partial<Profile> {
  return first === undefined || second === undefined ? {} : { sampleCount: first + second };
}
