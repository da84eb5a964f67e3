import type { CallTree } from './call-tree.ts';

/**
 * Visits nodes depth first without recursion: `enter` before, `leave` after everything below. The root is visited
 * too. Stacks of 20,000 frames exist.
 */
export function walkTree(
  tree: CallTree,
  visit: { readonly enter: (node: number) => void; readonly leave: (node: number) => void },
): void {
  const { firstChild, nextSibling } = linkChildren(tree);
  let node = 0;
  visit.enter(node);
  for (;;) {
    const child = firstChild[node] as number;
    if (child !== 0) node = child;
    else {
      while (node !== 0 && nextSibling[node] === 0) {
        visit.leave(node);
        node = tree.parent[node] as number;
      }
      visit.leave(node);
      if (node === 0) return;
      node = nextSibling[node] as number;
    }
    visit.enter(node);
  }
}

/** Children in the order of their ids; 0 ends a list, the root being nobody's child. */
function linkChildren(tree: CallTree): { firstChild: Int32Array; nextSibling: Int32Array } {
  const firstChild = new Int32Array(tree.nodeCount);
  const nextSibling = new Int32Array(tree.nodeCount);
  for (let node = tree.nodeCount - 1; node > 0; node -= 1) {
    const parent = tree.parent[node] as number;
    nextSibling[node] = firstChild[parent] as number;
    firstChild[parent] = node;
  }
  return { firstChild, nextSibling };
}
