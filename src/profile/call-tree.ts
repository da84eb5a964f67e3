import type { Count } from '../units.ts';
import type { FrameTable } from './frame-table.ts';

/**
 * Stacks merged by common prefix, root first. Columns by node id; node 0 is the root and holds what has
 * an empty stack. A parent's id is always smaller than its child's, so totals are one backward loop and
 * nothing here ever recurses (stacks of 20,000 frames exist).
 */
export interface CallTree {
  readonly nodeCount: Count;
  /** parent[0] is 0. */
  readonly parent: Int32Array;
  /** Id into `frames`; frame[0] is 0. */
  readonly frame: Int32Array;
  /** What ends in the node itself (pprof: flat). Bytes, or objects when the source knows only objects. */
  readonly selfBytes: Float64Array;
  /** Objects behind `selfBytes`; absent when the source does not tell. */
  readonly selfCount?: Float64Array;
  /** Raw samples behind `selfBytes`, for error estimates; absent when the source does not tell. */
  readonly selfSamples?: Float64Array;
  readonly frames: FrameTable;
}

export type Measure = 'bytes' | 'count' | 'samples';

/** The column of a measure; all zero when the tree does not carry it. */
export function selfColumn(tree: CallTree, measure: Measure): Float64Array {
  if (measure === 'bytes') return tree.selfBytes;
  return (
    (measure === 'count' ? tree.selfCount : tree.selfSamples) ?? new Float64Array(tree.nodeCount)
  );
}

/** Total of every node: its own plus all of its descendants' (pprof: cum). total[0] is the whole. */
export function totalColumn(tree: CallTree, measure: Measure): Float64Array {
  const total = selfColumn(tree, measure).slice(0, tree.nodeCount);
  for (let node = tree.nodeCount - 1; node > 0; node -= 1) {
    const parent = tree.parent[node] as number;
    total[parent] = (total[parent] as number) + (total[node] as number);
  }
  return total;
}

/** Whether anything ends in the node itself, by any measure. */
export function hasValue(tree: CallTree, node: number): boolean {
  return (
    tree.selfBytes[node] !== 0 ||
    (tree.selfCount !== undefined && tree.selfCount[node] !== 0) ||
    (tree.selfSamples !== undefined && tree.selfSamples[node] !== 0)
  );
}
