import type { CallTree } from './call-tree.ts';
import { frameName } from './frame-table.ts';

/** Which stacks to look at, by the frames in them. */
export interface StackFilter {
  /** Only stacks with a frame that matches. */
  readonly focus?: RegExp;
  /** No stack with a frame that matches. */
  readonly ignore?: RegExp;
}

/** The same tree with nothing left in the stacks that are not looked at. */
export function filterStacks(tree: CallTree, { focus, ignore }: StackFilter): CallTree {
  if (focus === undefined && ignore === undefined) return tree;
  const isFocused = focus === undefined ? undefined : nodesBelow(tree, focus);
  const isIgnored = ignore === undefined ? undefined : nodesBelow(tree, ignore);
  const keep = (value: number, node: number): number =>
    isFocused?.[node] === 0 || isIgnored?.[node] === 1 ? 0 : value;
  return {
    ...tree,
    selfBytes: tree.selfBytes.map(keep),
    ...(tree.selfCount && { selfCount: tree.selfCount.map(keep) }),
    ...(tree.selfSamples && { selfSamples: tree.selfSamples.map(keep) }),
  };
}

/** 1 for each node whose stack holds a frame that matches. */
function nodesBelow(tree: CallTree, pattern: RegExp): Uint8Array {
  const matches = frameMatcher(tree, pattern);
  const isBelow = new Uint8Array(tree.nodeCount);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const isMatch =
      isBelow[tree.parent[node] as number] === 1 || matches(tree.frame[node] as number);
    isBelow[node] = isMatch ? 1 : 0;
  }
  return isBelow;
}

/** Whether a frame matches, asked once per frame. */
export function frameMatcher(tree: CallTree, pattern: RegExp): (frame: number) => boolean {
  const answers = new Map<number, boolean>();
  return (frame) => {
    let answer = answers.get(frame);
    if (answer === undefined) {
      // A global expression remembers where it stopped.
      pattern.lastIndex = 0;
      answer = pattern.test(frameName(tree.frames, frame));
      answers.set(frame, answer);
    }
    return answer;
  };
}
