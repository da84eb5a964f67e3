import type { CallTree } from './call-tree.ts';
import { framePath } from './frame-path.ts';
import { pathPattern } from './path-pattern.ts';
import { ALLOCATOR_FRAMES, PLUMBING_FRAMES, THREAD_START_FRAMES } from './rules/noise-rules.ts';

const ALLOCATOR = 1;
const PLUMBING = 2;
const THREAD_START = 4;
const KNOWN = 128;

const allocatorPattern = pathPattern(ALLOCATOR_FRAMES);
const plumbingPattern = pathPattern(PLUMBING_FRAMES);
const threadStartPattern = pathPattern(THREAD_START_FRAMES);

/** What a node is to the reader of a stack. */
export const KEPT = 0;
export const AT_LEAF = 1;
export const AT_ROOT = 2;

/**
 * Which nodes are noise, by node id: the allocator and all below its outermost frame, plumbing that only leads to
 * it (both AT_LEAF), and the beginnings of threads (AT_ROOT).
 */
export function findNoise(tree: CallTree): Uint8Array {
  const kinds = new Uint8Array(tree.frames.size);
  const noise = new Uint8Array(tree.nodeCount);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const parent = tree.parent[node] as number;
    const kind = kindOf(tree, tree.frame[node] as number, kinds);
    if (noise[parent] === AT_LEAF || (kind & ALLOCATOR) !== 0) noise[node] = AT_LEAF;
    else if ((kind & THREAD_START) !== 0 && (parent === 0 || noise[parent] === AT_ROOT)) {
      noise[node] = AT_ROOT;
    }
  }
  markPlumbing(tree, kinds, noise);
  return noise;
}

/** From the leaves up: plumbing is noise where it has no child that is kept. */
function markPlumbing(tree: CallTree, kinds: Uint8Array, noise: Uint8Array): void {
  const hasKeptChild = new Uint8Array(tree.nodeCount);
  for (let node = tree.nodeCount - 1; node > 0; node -= 1) {
    const kind = kinds[tree.frame[node] as number] as number;
    if (noise[node] === KEPT && hasKeptChild[node] === 0 && (kind & PLUMBING) !== 0) {
      noise[node] = AT_LEAF;
    }
    if (noise[node] !== AT_LEAF) hasKeptChild[tree.parent[node] as number] = 1;
  }
}

function kindOf(tree: CallTree, frame: number, kinds: Uint8Array): number {
  const known = kinds[frame] as number;
  if (known !== 0) return known;
  const path = framePath(tree.frames, frame);
  const kind =
    KNOWN |
    (allocatorPattern.test(path) ? ALLOCATOR : 0) |
    (plumbingPattern.test(path) ? PLUMBING : 0) |
    (threadStartPattern.test(path) ? THREAD_START : 0);
  kinds[frame] = kind;
  return kind;
}
