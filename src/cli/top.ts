import { formatCountOf } from '../format.ts';
import { type CallTree, selfColumn } from '../profile/call-tree.ts';
import { filterStacks } from '../profile/filter-stacks.ts';
import { neighboursOf } from '../profile/neighbours.ts';
import { subsystemShares } from '../profile/subsystem-shares.ts';
import { classify } from '../profile/subsystems.ts';
import { type TopRow, topSites } from '../profile/top.ts';
import { trim } from '../profile/trim.ts';
import type { FileIo } from './file-io.ts';
import { measuredBy } from './measured.ts';
import { type InputFlags, readInput } from './profile-input.ts';
import { profileSummary } from './profile-summary.ts';
import { profileWords, remarksOf } from './profile-words.ts';
import { patternOf, type RowFlags, rowOptions } from './row-options.ts';
import { type RuleFlags, readRules } from './rules-file.ts';
import { neighbourTable, subsystemTable, topTable } from './top-tables.ts';

export interface TopFlags extends InputFlags, RowFlags, RuleFlags {
  readonly json?: boolean;
  /** Sorted by what passes through a function. */
  readonly cum?: boolean;
  /** Whose callers and callees are shown. */
  readonly pivot?: string;
  readonly raw?: boolean;
}

const USUAL_ROWS = 30;

/** `memprof top FILE`: functions by what ends in them or passes through them, and what each subsystem holds. */
export async function top(path: string, flags: TopFlags, io: FileIo): Promise<void> {
  const { filter, limit } = rowOptions(flags);
  const pivot = flags.pivot === undefined ? undefined : patternOf('--pivot', flags.pivot);
  const rules = await readRules(flags);
  const input = await readInput(path, flags, io.standardInput);
  const { profile, measure } = measuredBy(input, flags.count, path);
  const trimmed = flags.raw ? { tree: profile.tree, functionCount: 0 } : trim(profile.tree);
  const tree = filterStacks(trimmed.tree, filter);
  const by = flags.cum ? 'total' : 'self';
  const subsystems = subsystemShares({ tree }, measure, classify(tree, rules));
  const rows = topSites({ tree }, { measure, by, ...(limit === undefined ? {} : { limit }) });
  const neighbours = pivot && neighboursOf({ tree }, pivot);
  if (flags.json) {
    const summary = profileSummary(profile);
    io.print(
      `${JSON.stringify({ ...summary, measure, subsystems, rows, ...neighbours }, null, 2)}\n`,
    );
    return;
  }
  const total = sumOf(tree, measure);
  // The text is for people: who holds nothing in itself is of interest only when that is what is sorted by.
  const holders = flags.cum ? rows : rows.filter((row) => holdsItself(row, measure));
  const shown = flags.limit === undefined ? holders.slice(0, USUAL_ROWS) : holders;
  const parts = [
    [profileWords({ profile, measure }), ...remarksOf(profile)].join('\n'),
    subsystemTable(subsystems, measure),
    ...(neighbours === undefined
      ? [topTable(shown, { measure, total, isSampled: tree.selfSamples !== undefined })]
      : [neighbourTable(neighbours, { measure, total })]),
    footerOf({ left: holders.length - shown.length, trimmedFunctions: trimmed.functionCount }),
  ];
  io.print(`${parts.filter((part) => part !== '').join('\n\n')}\n`);
}

function holdsItself({ selfBytes, selfCount }: TopRow, measure: 'bytes' | 'count'): boolean {
  return (measure === 'bytes' ? selfBytes : selfCount) !== 0;
}

function sumOf(tree: CallTree, measure: 'bytes' | 'count'): number {
  return selfColumn(tree, measure).reduce((sum, value) => sum + value, 0);
}

function footerOf(facts: { readonly left: number; readonly trimmedFunctions: number }): string {
  return [
    ...(facts.left > 0
      ? [`${formatCountOf(facts.left, 'further function')}: --limit 0 shows all`]
      : []),
    ...(facts.trimmedFunctions > 0
      ? [
          `${formatCountOf(facts.trimmedFunctions, 'allocator and thread function')} left out: --raw shows them`,
        ]
      : []),
  ].join('\n');
}
