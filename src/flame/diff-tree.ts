import type { CallTree, Measure } from '../profile/call-tree.ts';
import { type Diff, diffTrees } from '../profile/diff.ts';
import type { SubsystemRule } from '../profile/subsystem-rule.ts';
import { groupBySubsystem } from '../profile/subsystem-shares.ts';
import { classify } from '../profile/subsystems.ts';
import { trim } from '../profile/trim.ts';

/** What a difference flame graph shows, before any geometry. */
export interface DiffTree extends Diff {
  /**
   * Both profiles laid over each other. What ends in a node is the larger of before and after, so that what is gone
   * keeps its width; by bytes, whatever was compared.
   */
  readonly tree: CallTree;
  readonly hasSubsystemRow: boolean;
}

export interface DiffTreeOptions {
  readonly measure: Measure;
  readonly isRaw: boolean;
  readonly extraRules: readonly SubsystemRule[];
}

export function diffTree(
  before: CallTree,
  after: CallTree,
  { measure, isRaw, extraRules }: DiffTreeOptions,
): DiffTree {
  const prepare = (source: CallTree) => {
    if (isRaw) return source;
    const { tree } = trim(source);
    return groupBySubsystem(tree, classify(tree, extraRules));
  };
  const diff = diffTrees(prepare(before), prepare(after), measure);
  const larger = diff.beforeSelf.map((was, node) => Math.max(0, was, diff.afterSelf[node] ?? 0));
  return { ...diff, tree: { ...diff.tree, selfBytes: larger }, hasSubsystemRow: !isRaw };
}
