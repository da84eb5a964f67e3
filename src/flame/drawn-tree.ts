import { type CallTree, type Measure, selfColumn } from '../profile/call-tree.ts';
import { pruneSmall } from '../profile/prune.ts';
import type { SubsystemRule } from '../profile/subsystem-rule.ts';
import {
  groupBySubsystem,
  type SubsystemRow,
  subsystemShares,
} from '../profile/subsystem-shares.ts';
import { classify, type Subsystems } from '../profile/subsystems.ts';
import { type TopRow, topSites } from '../profile/top.ts';
import { trim } from '../profile/trim.ts';
import type { Count, Share } from '../units.ts';

/** What a flame graph shows of a profile, before any geometry. */
export interface DrawnTree {
  /** Trimmed; the first row below the root is the subsystem, unless raw. */
  readonly tree: CallTree;
  readonly hasSubsystemRow: boolean;
  readonly subsystems: readonly SubsystemRow[];
  readonly sites: readonly TopRow[];
  /** Distinct functions of the allocator and of thread starts that were taken off. */
  readonly strippedFunctions: Count;
}

export interface DrawnTreeOptions {
  readonly measure: 'bytes' | 'count';
  readonly isRaw: boolean;
  readonly extraRules: readonly SubsystemRule[];
  readonly siteLimit: Count;
  /** Of the whole; narrower nodes need not be told apart. */
  readonly leastWidth: Share;
}

/**
 * Of a tree of a million nodes only some thousand are wide enough to be seen; the others are taken together before
 * anything is copied, and none of the totals changes by that.
 */
export function drawnTree(source: CallTree, options: DrawnTreeOptions): DrawnTree {
  const { measure, isRaw, extraRules, siteLimit, leastWidth } = options;
  const trimmed = isRaw ? { tree: source, functionCount: 0 } : trim(source);
  const subsystems = classify(trimmed.tree, extraRules);
  return {
    tree: isRaw ? trimmed.tree : groupedTree(trimmed.tree, subsystems, { measure, leastWidth }),
    hasSubsystemRow: !isRaw,
    subsystems: subsystemShares(trimmed, measure, subsystems),
    sites: topSites(trimmed, { measure, limit: siteLimit }),
    strippedFunctions: trimmed.functionCount,
  };
}

/** What is wide enough to be seen, below a row of subsystems. */
function groupedTree(
  tree: CallTree,
  subsystems: Subsystems,
  { measure, leastWidth }: { readonly measure: Measure; readonly leastWidth: Share },
): CallTree {
  const whole = selfColumn(tree, measure).reduce((sum, value) => sum + value, 0);
  const pruned = pruneSmall(tree, subsystems, { measure, leastTotal: whole * leastWidth });
  return groupBySubsystem(pruned.tree, pruned.subsystems);
}
