import type { Bytes, Count } from '../units.ts';
import { type CallTree, selfColumn } from './call-tree.ts';

export interface WithoutNegatives {
  readonly tree: CallTree;
  /** What was taken out, as a positive amount. */
  readonly dropped: Bytes | Count;
}

/** A tree that can be drawn as areas: stacks with a negative amount, as a base leaves them, are emptied. */
export function dropNegatives(tree: CallTree, measure: 'bytes' | 'count'): WithoutNegatives {
  const measured = selfColumn(tree, measure);
  const dropped = measured.reduce((sum, value) => (value < 0 ? sum - value : sum), 0);
  if (dropped === 0) return { tree, dropped };
  const keep = (value: number, node: number): number =>
    (measured[node] as number) < 0 ? 0 : value;
  return {
    tree: {
      ...tree,
      selfBytes: tree.selfBytes.map(keep),
      ...(tree.selfCount && { selfCount: tree.selfCount.map(keep) }),
      ...(tree.selfSamples && { selfSamples: tree.selfSamples.map(keep) }),
    },
    dropped,
  };
}
