import type { Bytes, Count, Share } from '../units.ts';
import { type CallTree, hasValue, type Measure, selfColumn } from './call-tree.ts';
import { type Confidence, confidenceOf } from './confidence.ts';
import { extendFrames } from './extend-frames.ts';
import { NodeTable } from './node-table.ts';
import { classify, type Subsystems, UNEXPLAINED } from './subsystems.ts';

export interface SubsystemRow extends Confidence {
  readonly subsystem: string;
  readonly bytes: Bytes;
  readonly count: Count;
  /** Of the whole tree, by the measure asked for. */
  readonly share: Share;
}

/**
 * What each subsystem holds, the largest first. Together the rows are the whole tree; the unexplained one is always
 * among them.
 */
export function subsystemShares(
  { tree }: { readonly tree: CallTree },
  measure: Measure,
  subsystems: Subsystems = classify(tree),
): readonly SubsystemRow[] {
  const bytes = sumBy(tree, 'bytes', subsystems);
  const count = sumBy(tree, 'count', subsystems);
  const samples = sumBy(tree, 'samples', subsystems);
  const measured = { bytes, count, samples }[measure];
  const total = measured.reduce((sum, value) => sum + value, 0);
  return subsystems.names
    .map((subsystem, index) => ({
      subsystem,
      bytes: bytes[index] as number,
      count: count[index] as number,
      ...confidenceOf(tree.selfSamples === undefined ? undefined : samples[index]),
      share: total === 0 ? 0 : (measured[index] as number) / total,
    }))
    .filter(
      ({ subsystem, ...row }) => subsystem === UNEXPLAINED || row.bytes !== 0 || row.count !== 0,
    )
    .sort((a, b) => b.share - a.share || compare(a.subsystem, b.subsystem));
}

/** A tree whose first row below the root is the subsystem; every stack and every byte is kept. */
export function groupBySubsystem(
  tree: CallTree,
  subsystems: Subsystems = classify(tree),
): CallTree {
  const { frames, added } = extendFrames(tree.frames, subsystems.names);
  const nodes = new NodeTable(tree.nodeCount);
  const copies = new NodeCopies(tree, nodes);
  for (let node = 0; node < tree.nodeCount; node += 1) {
    if (!hasValue(tree, node)) continue;
    const row = nodes.child(0, added[subsystems.ofNode[node] as number] as number);
    nodes.addValuesOf(tree, node, copies.below(row, node));
  }
  return nodes.build(frames);
}

/** Copies of nodes below the rows of their subsystems. The copy made last is remembered: neighbours mostly share it. */
class NodeCopies {
  readonly #tree: CallTree;
  readonly #nodes: NodeTable;
  readonly #row: Int32Array;
  readonly #copy: Int32Array;

  constructor(tree: CallTree, nodes: NodeTable) {
    this.#tree = tree;
    this.#nodes = nodes;
    this.#row = new Int32Array(tree.nodeCount);
    this.#copy = new Int32Array(tree.nodeCount);
  }

  below(row: number, node: number): number {
    const missing: number[] = [];
    let at = node;
    while (at !== 0 && this.#row[at] !== row) {
      missing.push(at);
      at = this.#tree.parent[at] as number;
    }
    let copy = at === 0 ? row : (this.#copy[at] as number);
    for (let next = missing.pop(); next !== undefined; next = missing.pop()) {
      copy = this.#nodes.child(copy, this.#tree.frame[next] as number);
      this.#row[next] = row;
      this.#copy[next] = copy;
    }
    return copy;
  }
}

function sumBy(tree: CallTree, measure: Measure, { names, ofNode }: Subsystems): Float64Array {
  const sums = new Float64Array(names.length);
  const self = selfColumn(tree, measure);
  for (let node = 0; node < tree.nodeCount; node += 1) {
    const subsystem = ofNode[node] as number;
    sums[subsystem] = (sums[subsystem] as number) + (self[node] as number);
  }
  return sums;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
