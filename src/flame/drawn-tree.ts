import type { CallTree } from '../profile/call-tree.ts';
import type { SubsystemRule } from '../profile/subsystem-rule.ts';
import {
  groupBySubsystem,
  type SubsystemRow,
  subsystemShares,
} from '../profile/subsystem-shares.ts';
import { classify } from '../profile/subsystems.ts';
import { type TopRow, topSites } from '../profile/top.ts';
import { trim } from '../profile/trim.ts';
import type { Count } from '../units.ts';

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
}

export function drawnTree(source: CallTree, options: DrawnTreeOptions): DrawnTree {
  const { measure, isRaw, extraRules, siteLimit } = options;
  const trimmed = isRaw ? { tree: source, functionCount: 0 } : trim(source);
  const subsystems = classify(trimmed.tree, extraRules);
  return {
    tree: isRaw ? trimmed.tree : groupBySubsystem(trimmed.tree, subsystems),
    hasSubsystemRow: !isRaw,
    subsystems: subsystemShares(trimmed, measure, subsystems),
    sites: topSites(trimmed, { measure, limit: siteLimit }),
    strippedFunctions: trimmed.functionCount,
  };
}
