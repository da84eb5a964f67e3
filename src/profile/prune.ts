import type { Bytes, Count } from '../units.ts';
import { type CallTree, hasValue, type Measure, totalColumn } from './call-tree.ts';
import { extendFrames } from './extend-frames.ts';
import { NodeTable } from './node-table.ts';
import type { Subsystems } from './subsystems.ts';

/** The frame that stands for everything too small to be looked at on its own. */
export const OTHER_FRAME = '(other)';

export interface Pruned {
  readonly tree: CallTree;
  /** The subsystems of the nodes of `tree`. */
  readonly subsystems: Subsystems;
}

/**
 * Makes a tree of a million nodes one of some thousand: each subtree whose total is below the least becomes one
 * "(other)" node per subsystem below its parent. Totals stay, of each kept node and of each subsystem.
 */
export function pruneSmall(
  tree: CallTree,
  subsystems: Subsystems,
  { measure, leastTotal }: { readonly measure: Measure; readonly leastTotal: Bytes | Count },
): Pruned {
  const total = totalColumn(tree, measure);
  const { frames, added } = extendFrames(
    tree.frames,
    subsystems.names.map(() => OTHER_FRAME),
  );
  const nodes = new NodeTable();
  const home = new Int32Array(tree.nodeCount);
  const isKept = new Uint8Array(tree.nodeCount);
  const ofNode: number[] = [subsystems.ofNode[0] as number];
  isKept[0] = 1;
  nodes.addValuesOf(tree, 0, 0);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const parent = tree.parent[node] as number;
    const subsystem = subsystems.ofNode[node] as number;
    const isLarge = isKept[parent] === 1 && Math.abs(total[node] as number) >= leastTotal;
    if (isLarge) {
      isKept[node] = 1;
      home[node] = nodes.child(home[parent] as number, tree.frame[node] as number);
    } else home[node] = home[parent] as number;
    if (!isLarge && !hasValue(tree, node)) continue;
    const to = isLarge
      ? (home[node] as number)
      : nodes.child(home[node] as number, added[subsystem] as number);
    ofNode[to] = subsystem;
    nodes.addValuesOf(tree, node, to);
  }
  return {
    tree: nodes.build(frames),
    subsystems: { names: subsystems.names, ofNode: Int16Array.from(ofNode) },
  };
}
