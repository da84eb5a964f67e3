import type { CallTree } from './call-tree.ts';
import { framePath } from './frame-path.ts';
import { frameName } from './frame-table.ts';
import { isNameless } from './nameless.ts';
import { pathPattern } from './path-pattern.ts';
import { ALLOCATOR_FRAMES, PLUMBING_FRAMES, THREAD_START_FRAMES } from './rules/noise-rules.ts';

const ALLOCATOR = 1;
const PLUMBING = 2;
const THREAD_START = 4;
const NAMELESS = 8;
const KNOWN = 128;

const allocatorPattern = pathPattern(ALLOCATOR_FRAMES);
const plumbingPattern = pathPattern(PLUMBING_FRAMES);
const threadStartPattern = pathPattern(THREAD_START_FRAMES);

/** What a node is to the reader of a stack. */
export const KEPT = 0;
export const AT_LEAF = 1;
export const AT_ROOT = 2;
/** Nameless code above a frame that has a name. */
export const BETWEEN = 3;

/**
 * Which nodes are noise, by node id: the allocator and all below its outermost frame, plumbing that only leads to
 * it (both AT_LEAF), and the beginnings of threads (AT_ROOT). Code without a name is noise below a frame that has one
 * and says what the memory is for, above one (BETWEEN the thread's beginning and it), and above the beginning of a
 * thread; a stack of nothing else stays as it is.
 */
export function findNoise(tree: CallTree): Uint8Array {
  const kinds = new Uint8Array(tree.frames.size);
  const noise = new Uint8Array(tree.nodeCount);
  // Nodes above which nothing but beginnings of threads and nameless code stands, themselves nameless.
  const mayBegin = new Uint8Array(tree.nodeCount);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const parent = tree.parent[node] as number;
    const kind = kindOf(tree, tree.frame[node] as number, kinds);
    const isFirst = parent === 0 || noise[parent] === AT_ROOT || mayBegin[parent] === 1;
    if (noise[parent] === AT_LEAF || (kind & ALLOCATOR) !== 0) noise[node] = AT_LEAF;
    else if ((kind & THREAD_START) !== 0 && isFirst) markBeginning(tree, node, noise);
    else if ((kind & NAMELESS) !== 0 && isFirst) mayBegin[node] = 1;
  }
  markPlumbing(tree, kinds, noise);
  return noise;
}

/** The node, and the nameless code between it and what begins a thread further up. */
function markBeginning(tree: CallTree, from: number, noise: Uint8Array): void {
  for (let node = from; node !== 0 && noise[node] !== AT_ROOT; node = tree.parent[node] as number) {
    noise[node] = AT_ROOT;
  }
}

/**
 * From the leaves up: plumbing, and nameless code below a name, is noise where it has no child that is kept; nameless
 * code above a name is left out too, since the name below says more.
 */
function markPlumbing(tree: CallTree, kinds: Uint8Array, noise: Uint8Array): void {
  const hasKeptChild = new Uint8Array(tree.nodeCount);
  const hasNameBelow = new Uint8Array(tree.nodeCount);
  const isBelowName = belowNames(tree, kinds, noise);
  for (let node = tree.nodeCount - 1; node > 0; node -= 1) {
    const kind = kinds[tree.frame[node] as number] as number;
    const parent = tree.parent[node] as number;
    const isNamelessCode = (kind & NAMELESS) !== 0;
    const isPlumbing = (kind & PLUMBING) !== 0 || (isNamelessCode && isBelowName[node] === 1);
    if (noise[node] === KEPT && isPlumbing && hasKeptChild[node] === 0) noise[node] = AT_LEAF;
    if (noise[node] === KEPT && isNamelessCode && hasNameBelow[node] === 1) noise[node] = BETWEEN;
    if (noise[node] !== AT_LEAF) hasKeptChild[parent] = 1;
    const isName = noise[node] === KEPT && !isNamelessCode;
    if (isName || hasNameBelow[node] === 1) hasNameBelow[parent] = 1;
  }
}

/** Nodes below a kept frame that has a name and is no plumbing. */
function belowNames(tree: CallTree, kinds: Uint8Array, noise: Uint8Array): Uint8Array {
  const isBelow = new Uint8Array(tree.nodeCount);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const parent = tree.parent[node] as number;
    const kind = kinds[tree.frame[parent] as number] as number;
    const isName = parent !== 0 && noise[parent] === KEPT && (kind & (PLUMBING | NAMELESS)) === 0;
    isBelow[node] = isName ? 1 : (isBelow[parent] as number);
  }
  return isBelow;
}

function kindOf(tree: CallTree, frame: number, kinds: Uint8Array): number {
  const known = kinds[frame] as number;
  if (known !== 0) return known;
  const path = framePath(tree.frames, frame);
  const kind =
    KNOWN |
    (allocatorPattern.test(path) ? ALLOCATOR : 0) |
    (plumbingPattern.test(path) ? PLUMBING : 0) |
    (threadStartPattern.test(path) ? THREAD_START : 0) |
    (isNameless(frameName(tree.frames, frame)) ? NAMELESS : 0);
  kinds[frame] = kind;
  return kind;
}
