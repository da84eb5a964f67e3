import type { CallTree } from './call-tree.ts';
import { frameName } from './frame-table.ts';
import { FrameTableBuilder } from './frame-table-builder.ts';
import { NodeTable } from './node-table.ts';

/** Two trees laid over each other by the names of frames. */
export interface MergedTrees {
  /** The common nodes; its own columns are the sum of both trees'. */
  readonly tree: CallTree;
  /** The node of `tree` that each node of the first tree lies on. */
  readonly first: Int32Array;
  readonly second: Int32Array;
}

export function mergeTrees(first: CallTree, second: CallTree): MergedTrees {
  const frames = new FrameTableBuilder();
  const nodes = new NodeTable(Math.max(first.nodeCount, second.nodeCount));
  const homes = [first, second].map((tree) => lay(tree, frames, nodes)) as [Int32Array, Int32Array];
  return { tree: nodes.build(frames.build()), first: homes[0], second: homes[1] };
}

function lay(tree: CallTree, frames: FrameTableBuilder, nodes: NodeTable): Int32Array {
  const home = new Int32Array(tree.nodeCount);
  const ids = new Int32Array(tree.frames.size);
  for (let node = 0; node < tree.nodeCount; node += 1) {
    if (node > 0) {
      const frame = tree.frame[node] as number;
      ids[frame] ||= frames.intern(frameName(tree.frames, frame));
      home[node] = nodes.child(home[tree.parent[node] as number] as number, ids[frame] as number);
    }
    nodes.addValuesOf(tree, node, home[node] as number);
  }
  return home;
}

/** A column of one of the merged trees, by node id of the common one. */
export function spread(
  column: Float64Array | undefined,
  home: Int32Array,
  nodeCount: number,
): Float64Array {
  const spreadColumn = new Float64Array(nodeCount);
  for (const [node, to] of home.entries()) {
    spreadColumn[to] = (spreadColumn[to] as number) + (column?.[node] ?? 0);
  }
  return spreadColumn;
}
