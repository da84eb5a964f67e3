import { type CallTree, hasValue } from '../profile/call-tree.ts';
import { doubledInts } from '../profile/columns.ts';
import { walkTree } from '../profile/walk.ts';
import type { Count } from '../units.ts';

/** Frame ids root first: the first `depth` of `path`, valid during the call only. */
export type StackVisitor = (node: number, path: Int32Array, depth: Count) => void;

/** Visits each node in which anything ends, depth first, with the frames that lead to it. */
export function visitStacks(tree: CallTree, visit: StackVisitor): void {
  let path = new Int32Array(1 << 8);
  // The root is no frame.
  let depth = -1;
  walkTree(tree, {
    enter(node) {
      if (depth >= 0) {
        if (depth === path.length) path = doubledInts(path);
        path[depth] = tree.frame[node] as number;
      }
      depth += 1;
      if (hasValue(tree, node)) visit(node, path, depth);
    },
    leave() {
      depth -= 1;
    },
  });
}
