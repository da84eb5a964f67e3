import type { Bytes, Count, Share } from '../units.ts';
import { type CallTree, type Measure, selfColumn } from './call-tree.ts';
import { type Confidence, confidenceOf } from './confidence.ts';
import { frameName } from './frame-table.ts';
import { functionTotals } from './function-totals.ts';
import { mergeTrees, spread } from './merge-trees.ts';

export type Change = 'grown' | 'shrunk' | 'new' | 'gone' | 'same';

/** One function, by what ends in it. */
export interface DiffRow extends Confidence {
  readonly name: string;
  readonly before: Bytes | Count;
  readonly after: Bytes | Count;
  /** After minus before. */
  readonly change: Bytes | Count;
  readonly kind: Change;
}

/** Before → after, compared by the names of functions: addresses move across restarts. */
export interface Diff {
  /** Both profiles' nodes laid over each other. */
  readonly tree: CallTree;
  /** What ended in a node before and after, by node id of `tree`. */
  readonly beforeSelf: Float64Array;
  readonly afterSelf: Float64Array;
  readonly beforeTotal: Bytes | Count;
  readonly afterTotal: Bytes | Count;
  /** Functions that changed, the largest change first. */
  readonly rows: readonly DiffRow[];
  /**
   * How much of both profiles ends in functions that both know. The rest is code that only one of them ran, or names
   * that do not match because the builds differ.
   */
  readonly matchedShare: Share;
  /** True when so little matches that the comparison must carry a warning. */
  readonly isDoubtful: boolean;
}

const DOUBTFUL_UNDER_SHARE = 0.9;

/** Trim both trees first, or changes are the allocator's. */
export function diffTrees(before: CallTree, after: CallTree, measure: Measure = 'bytes'): Diff {
  const { tree, first, second } = mergeTrees(before, after);
  const beforeSelf = spread(selfColumn(before, measure), first, tree.nodeCount);
  const afterSelf = spread(selfColumn(after, measure), second, tree.nodeCount);
  const knownBefore = knownFrames(tree, first);
  const knownAfter = knownFrames(tree, second);
  const sums = {
    before: selfByFrame(tree, beforeSelf),
    after: selfByFrame(tree, afterSelf),
    samples: tree.selfSamples && functionTotals(tree, 'samples').self,
  };
  const matchedShare = matchedShareOf(sums, knownBefore, knownAfter);
  return {
    tree,
    beforeSelf,
    afterSelf,
    beforeTotal: sumOf(beforeSelf),
    afterTotal: sumOf(afterSelf),
    rows: rowsOf(tree, sums),
    matchedShare,
    isDoubtful: matchedShare < DOUBTFUL_UNDER_SHARE,
  };
}

interface FrameSums {
  readonly before: Float64Array;
  readonly after: Float64Array;
  readonly samples: Float64Array | undefined;
}

function rowsOf(tree: CallTree, { before, after, samples }: FrameSums): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  for (let frame = 1; frame < tree.frames.size; frame += 1) {
    const was = before[frame] as number;
    const is = after[frame] as number;
    if (was === is) continue;
    rows.push({
      name: frameName(tree.frames, frame),
      before: was,
      after: is,
      change: is - was,
      kind: changeOf(was, is),
      ...confidenceOf(samples?.[frame]),
    });
  }
  return rows.sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || (a.name < b.name ? -1 : 1));
}

/** What a pair of amounts is called. */
export function changeOf(before: number, after: number): Change {
  if (before === after) return 'same';
  if (before === 0) return 'new';
  if (after === 0) return 'gone';
  return after > before ? 'grown' : 'shrunk';
}

function matchedShareOf(
  { before, after }: FrameSums,
  knownBefore: Uint8Array,
  knownAfter: Uint8Array,
): Share {
  let matched = 0;
  let all = 0;
  for (let frame = 1; frame < before.length; frame += 1) {
    const amount = Math.abs(before[frame] as number) + Math.abs(after[frame] as number);
    all += amount;
    if (knownBefore[frame] === 1 && knownAfter[frame] === 1) matched += amount;
  }
  return all === 0 ? 1 : matched / all;
}

function knownFrames(tree: CallTree, home: Int32Array): Uint8Array {
  const isKnown = new Uint8Array(tree.frames.size);
  for (const node of home) isKnown[tree.frame[node] as number] = 1;
  return isKnown;
}

function selfByFrame(tree: CallTree, self: Float64Array): Float64Array {
  const sums = new Float64Array(tree.frames.size);
  for (let node = 0; node < tree.nodeCount; node += 1) {
    const frame = tree.frame[node] as number;
    sums[frame] = (sums[frame] as number) + (self[node] as number);
  }
  return sums;
}

function sumOf(column: Float64Array): number {
  return column.reduce((sum, value) => sum + value, 0);
}
