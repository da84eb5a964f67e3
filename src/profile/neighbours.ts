import type { Bytes, Count } from '../units.ts';
import { type CallTree, hasValue } from './call-tree.ts';
import { type Confidence, confidenceOf } from './confidence.ts';
import { filterStacks, frameMatcher, type StackFilter } from './filter-stacks.ts';
import { frameName } from './frame-table.ts';

/** A function next to the one looked at, with what passes between the two. */
export interface NeighbourRow extends Confidence {
  readonly name: string;
  readonly bytes: Bytes;
  readonly count: Count;
}

/** Both lists add up to what passes through the function. */
export interface Neighbours {
  /** Who calls it; of a recursion the outermost caller. An empty name: it begins stacks. */
  readonly callers: readonly NeighbourRow[];
  /** Whom it calls; of a recursion below the innermost call. An empty name: what ends in itself. */
  readonly callees: readonly NeighbourRow[];
}

/** The direct callers and callees of the functions that match, each stack counted once. */
export function neighboursOf(
  { tree }: { readonly tree: CallTree },
  pivot: RegExp,
  filter: StackFilter = {},
): Neighbours {
  const filtered = filterStacks(tree, filter);
  const callers = new FrameSums(filtered);
  const callees = new FrameSums(filtered);
  const matches = frameMatcher(filtered, pivot);
  const isBelow = new Uint8Array(tree.nodeCount);
  const caller = new Int32Array(tree.nodeCount);
  const callee = new Int32Array(tree.nodeCount);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const parent = tree.parent[node] as number;
    const frame = tree.frame[node] as number;
    const isMatch = matches(frame);
    if (!isMatch && isBelow[parent] === 0) continue;
    isBelow[node] = 1;
    caller[node] =
      isBelow[parent] === 1 ? (caller[parent] as number) : (tree.frame[parent] as number);
    // Frame 0, the root's, stands for the function itself until something else is called.
    const inherited = callee[parent] as number;
    callee[node] = isMatch ? 0 : inherited === 0 ? frame : inherited;
    if (!hasValue(filtered, node)) continue;
    callers.add(caller[node] as number, node);
    callees.add(callee[node] as number, node);
  }
  return { callers: callers.rows(), callees: callees.rows() };
}

class FrameSums {
  readonly #tree: CallTree;
  readonly #sums = new Map<number, { bytes: Bytes; count: Count; samples: Count }>();

  constructor(tree: CallTree) {
    this.#tree = tree;
  }

  add(frame: number, node: number): void {
    const sum = this.#sums.get(frame) ?? { bytes: 0, count: 0, samples: 0 };
    sum.bytes += this.#tree.selfBytes[node] as number;
    sum.count += this.#tree.selfCount?.[node] ?? 0;
    sum.samples += this.#tree.selfSamples?.[node] ?? 0;
    this.#sums.set(frame, sum);
  }

  rows(): readonly NeighbourRow[] {
    return [...this.#sums]
      .sort(([a, first], [b, second]) => Math.abs(second.bytes) - Math.abs(first.bytes) || a - b)
      .map(([frame, { bytes, count, samples }]) => ({
        name: frameName(this.#tree.frames, frame),
        bytes,
        count,
        ...confidenceOf(this.#tree.selfSamples && samples),
      }));
  }
}
