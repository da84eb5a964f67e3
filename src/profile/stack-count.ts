import type { Count } from '../units.ts';
import { type CallTree, hasValue } from './call-tree.ts';

/** How many distinct stacks hold anything. */
export function stackCountOf(tree: CallTree): Count {
  let count = 0;
  for (let node = 0; node < tree.nodeCount; node += 1) if (hasValue(tree, node)) count += 1;
  return count;
}
