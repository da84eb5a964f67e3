import type { Count } from '../units.ts';
import { type CallTree, hasValue } from './call-tree.ts';
import { NodeTable } from './node-table.ts';

export interface Folded {
  readonly tree: CallTree;
  /** How many frames above a node's own were folded into it, by node id of `tree`. */
  readonly foldedAbove: Int32Array;
  /** The node of the tree before folding that a node stands for: its hidden frames are that one's parents. */
  readonly source: Int32Array;
}

/**
 * Folds chains of nodes that have one child and nothing of their own into their deepest node, whose frame says most.
 * Nodes down to `keptDepth` (the root's children are at 1) stay as they are. No byte moves. For drawing only: a node
 * may have several children with the same frame afterwards.
 */
export function foldChains(tree: CallTree, keptDepth: Count = 0): Folded {
  const isFolded = findFolded(tree, keptDepth);
  const nodes = new NodeTable(tree.nodeCount);
  const home = new Int32Array(tree.nodeCount);
  const foldedAbove = new Int32Array(tree.nodeCount);
  const source = new Int32Array(tree.nodeCount);
  const hidden = new Int32Array(tree.nodeCount);
  nodes.addValuesOf(tree, 0, 0);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const parent = tree.parent[node] as number;
    const above = isFolded[parent] === 1 ? (hidden[parent] as number) + 1 : 0;
    if (isFolded[node] === 1) {
      home[node] = home[parent] as number;
      hidden[node] = above;
      continue;
    }
    const copy = nodes.append(home[parent] as number, tree.frame[node] as number);
    home[node] = copy;
    foldedAbove[copy] = above;
    source[copy] = node;
    nodes.addValuesOf(tree, node, copy);
  }
  return {
    tree: nodes.build(tree.frames),
    foldedAbove: foldedAbove.slice(0, nodes.nodeCount),
    source: source.slice(0, nodes.nodeCount),
  };
}

function findFolded(tree: CallTree, keptDepth: Count): Uint8Array {
  const childCount = new Int32Array(tree.nodeCount);
  const depth = new Int32Array(tree.nodeCount);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const parent = tree.parent[node] as number;
    childCount[parent] = (childCount[parent] as number) + 1;
    depth[node] = (depth[parent] as number) + 1;
  }
  const isFolded = new Uint8Array(tree.nodeCount);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const isLink = childCount[node] === 1 && !hasValue(tree, node);
    isFolded[node] = isLink && (depth[node] as number) > keptDepth ? 1 : 0;
  }
  return isFolded;
}
