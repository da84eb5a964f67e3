import type { CallTree } from '../profile/call-tree.ts';
import type { FrameTable } from '../profile/frame-table.ts';
import type { Count } from '../units.ts';

/** A radix tree over frame ids. Columns by node id, with room to spare; a parent's id may be larger than its child's. */
export interface RadixTree {
  readonly nodeCount: Count;
  readonly parent: Int32Array;
  /** The run of frames that a node stands for, in `labels`. The root has none. */
  readonly labelStart: Int32Array;
  readonly labelLength: Int32Array;
  readonly labels: Int32Array;
  readonly selfBytes: Float64Array;
  readonly selfCount: Float64Array | undefined;
  readonly selfSamples: Float64Array | undefined;
}

/** The same stacks with one node a frame, depth first; siblings in the order of their ids. */
export function spellOut(radix: RadixTree, frames: FrameTable): CallTree {
  let nodeCount = 1;
  for (let node = 1; node < radix.nodeCount; node += 1)
    nodeCount += radix.labelLength[node] as number;
  const parent = new Int32Array(nodeCount);
  const frame = new Int32Array(nodeCount);
  /** The last of the nodes that a radix node became. */
  const last = new Int32Array(radix.nodeCount);
  let size = 1;
  for (const node of depthFirst(radix)) {
    let above = last[radix.parent[node] as number] as number;
    const start = radix.labelStart[node] as number;
    const end = start + (radix.labelLength[node] as number);
    for (let at = start; at < end; at += 1) {
      parent[size] = above;
      frame[size] = radix.labels[at] as number;
      above = size;
      size += 1;
    }
    last[node] = above;
  }
  const spread = (column: Float64Array): Float64Array => {
    const spelled = new Float64Array(nodeCount);
    for (let node = 0; node < radix.nodeCount; node += 1) {
      spelled[last[node] as number] = column[node] as number;
    }
    return spelled;
  };
  return {
    nodeCount,
    parent,
    frame,
    selfBytes: spread(radix.selfBytes),
    ...(radix.selfCount && { selfCount: spread(radix.selfCount) }),
    ...(radix.selfSamples && { selfSamples: spread(radix.selfSamples) }),
    frames,
  };
}

/** Ids of all nodes but the root. */
function depthFirst({ nodeCount, parent }: RadixTree): Int32Array {
  const firstChild = new Int32Array(nodeCount);
  const nextSibling = new Int32Array(nodeCount);
  for (let node = nodeCount - 1; node > 0; node -= 1) {
    const above = parent[node] as number;
    nextSibling[node] = firstChild[above] as number;
    firstChild[above] = node;
  }
  const order = new Int32Array(nodeCount - 1);
  let size = 0;
  let node = firstChild[0] as number;
  while (node !== 0) {
    order[size] = node;
    size += 1;
    const child = firstChild[node] as number;
    if (child !== 0) {
      node = child;
      continue;
    }
    while (node !== 0 && nextSibling[node] === 0) node = parent[node] as number;
    node = nextSibling[node] as number;
  }
  return order;
}
