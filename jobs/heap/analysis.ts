import { type CallTree, selfColumn } from '../../src/profile/call-tree.ts';
import { filterStacks, type StackFilter } from '../../src/profile/filter-stacks.ts';
import type { Profile } from '../../src/profile/profile.ts';
import type { SubsystemRule } from '../../src/profile/subsystem-rule.ts';
import { type SubsystemRow, subsystemShares } from '../../src/profile/subsystem-shares.ts';
import { classify } from '../../src/profile/subsystems.ts';
import { type TopRow, topSites } from '../../src/profile/top.ts';
import { trim } from '../../src/profile/trim.ts';

export interface HeapAnalysis {
  /** The profile with nothing left in the stacks that are not looked at. */
  readonly profile: Profile;
  readonly subsystems: readonly SubsystemRow[];
  /** Functions that allocated what is live; the allocator's own are taken off. */
  readonly sites: readonly TopRow[];
}

/** Which stacks are looked at, and by which rules of the team's own. */
export interface HeapQuestion extends StackFilter {
  readonly subsystemRules?: readonly SubsystemRule[] | undefined;
}

const SHOWN_SITES = 7;

export function analyseHeap(
  profile: Profile,
  measure: 'bytes' | 'count',
  { subsystemRules, ...filter }: HeapQuestion,
): HeapAnalysis {
  const tree = filterStacks(profile.tree, filter);
  const looked = tree === profile.tree ? profile : withTree(profile, tree);
  return {
    profile: looked,
    subsystems: subsystemShares({ tree }, measure, classify(tree, subsystemRules)),
    sites: topSites(trim(tree), { measure, limit: SHOWN_SITES }).filter(
      ({ selfBytes, selfCount }) => selfBytes !== 0 || selfCount !== 0,
    ),
  };
}

function withTree(profile: Profile, tree: CallTree): Profile {
  const sumOf = (measure: 'bytes' | 'count' | 'samples') =>
    selfColumn(tree, measure).reduce((sum, value) => sum + value, 0);
  return {
    ...profile,
    tree,
    totalBytes: sumOf('bytes'),
    totalCount: sumOf('count'),
    ...(profile.sampleCount === undefined ? {} : { sampleCount: sumOf('samples') }),
  };
}
