import { frameName } from '../../src/profile/frame-table.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { TreeBuilder } from '../../src/profile/tree-builder.ts';

/** A profile from folded stacks: {"main;insert": 4096}. */
export function profileOf(
  stacks: Readonly<Record<string, number>>,
  changes: Partial<Profile> = {},
): Profile {
  const builder = new TreeBuilder();
  for (const [stack, bytes] of Object.entries(stacks)) {
    builder.add(stack.split(';'), { bytes, count: 1 });
  }
  const stackCount = Object.keys(stacks).length;
  return {
    kind: 'trace_log',
    tree: builder.build(),
    unit: 'bytes',
    totalBytes: Object.values(stacks).reduce((sum, bytes) => sum + bytes, 0),
    totalCount: stackCount,
    stackCount,
    unsampled: true,
    skippedLines: 0,
    firstSkipped: [],
    notes: [],
    ...changes,
  };
}

/** The stacks of a profile that have bytes of their own, folded, in the order of the tree. */
export function foldedOf({ tree }: Pick<Profile, 'tree'>): readonly string[] {
  return Array.from({ length: tree.nodeCount }, (_, node) => {
    const names: string[] = [];
    for (let at = node; at > 0; at = tree.parent[at] as number) {
      names.unshift(frameName(tree.frames, tree.frame[at] as number));
    }
    return { line: `${names.join(';')} ${tree.selfBytes[node]}`, bytes: tree.selfBytes[node] };
  })
    .filter(({ bytes }) => bytes !== 0)
    .map(({ line }) => line);
}
