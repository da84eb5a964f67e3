import type { Count } from '../units.ts';
import { type CallTree, hasValue } from './call-tree.ts';
import { NodeTable } from './node-table.ts';
import { AT_LEAF, findNoise, KEPT } from './noise.ts';

export interface Trimmed {
  readonly tree: CallTree;
  /** Distinct functions that were taken off stacks. */
  readonly functionCount: Count;
}

/**
 * Takes the allocator off the leaves of stacks and the beginnings of threads off their roots. What ended in a frame
 * that went ends in the frame above it; a stack that is nothing but such frames keeps the one that says most. No
 * byte is lost.
 */
export function trim(tree: CallTree, noise: Uint8Array = findNoise(tree)): Trimmed {
  const nodes = new NodeTable(tree.nodeCount);
  const home = new Int32Array(tree.nodeCount);
  const mayMerge = adoptersIn(tree, noise);
  // What a stack without any other frame is called by.
  const lastResort = new Int32Array(tree.nodeCount);
  const trimmed = new Set<number>();
  nodes.addValuesOf(tree, 0, 0);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const parent = tree.parent[node] as number;
    const frame = tree.frame[node] as number;
    if (noise[node] === KEPT) {
      const above = home[parent] as number;
      home[node] = mayMerge[parent] === 1 ? nodes.child(above, frame) : nodes.append(above, frame);
    } else {
      trimmed.add(frame);
      home[node] = home[parent] as number;
    }
    lastResort[node] =
      noise[node] === AT_LEAF && parent !== 0 ? (lastResort[parent] as number) : frame;
    if (!hasValue(tree, node)) continue;
    const to =
      home[node] === 0 ? nodes.child(0, lastResort[node] as number) : (home[node] as number);
    nodes.addValuesOf(tree, node, to);
  }
  return { tree: nodes.build(tree.frames), functionCount: trimmed.size };
}

/**
 * Nodes whose children may meet another child of the same frame: the root, where stacks of nothing but noise end up,
 * and those that have children of frames that went. Below all others a child is new, and looking for it would take
 * longer than all the rest.
 */
function adoptersIn(tree: CallTree, noise: Uint8Array): Uint8Array {
  const above = new Int32Array(tree.nodeCount);
  const adopts = new Uint8Array(tree.nodeCount);
  adopts[0] = 1;
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const parent = tree.parent[node] as number;
    const keptAbove = above[parent] as number;
    above[node] = noise[node] === KEPT ? node : keptAbove;
    if (noise[node] === KEPT && keptAbove !== parent) adopts[keptAbove] = 1;
  }
  // A frame that went says so of the one that takes its children.
  for (let node = 1; node < tree.nodeCount; node += 1) {
    if (noise[node] !== KEPT) adopts[node] = adopts[above[node] as number] as number;
  }
  return adopts;
}
