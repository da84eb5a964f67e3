import { formatCountOf, formatShare } from '../format.ts';
import { diffTrees } from '../profile/diff.ts';
import { filterStacks } from '../profile/filter-stacks.ts';
import type { Measured } from '../profile/measured.ts';
import type { Profile } from '../profile/profile.ts';
import { subtractBase } from '../profile/subtract-base.ts';
import { topSites } from '../profile/top.ts';
import { trim } from '../profile/trim.ts';
import { changeJson, changeTable, formatChange } from './diff-tables.ts';
import type { FileIo } from './file-io.ts';
import { measuredBy, requireSameMeasure } from './measured.ts';
import { type PictureFlags, pictureOptions } from './picture-options.ts';
import { type InputFlags, inputName, readInputs } from './profile-input.ts';
import { outputTo } from './profile-output.ts';
import { profileSummary } from './profile-summary.ts';
import { profileWords, remarksOf } from './profile-words.ts';
import { type RowFlags, rowOptions } from './row-options.ts';
import { type RuleFlags, readRules } from './rules-file.ts';

export interface DiffFlags extends InputFlags, PictureFlags, RowFlags, RuleFlags {
  readonly out?: string;
  readonly json?: boolean;
}

/** The two sides, and the second without the first. */
interface Pair {
  readonly names: { readonly before: string; readonly after: string };
  readonly before: Profile;
  readonly after: Profile;
  readonly change: Profile;
  readonly measure: Measured['measure'];
}

const USUAL_ROWS = 30;

/** `memprof diff BEFORE AFTER`: what grew, shrank, came and went, by function; with -o as a picture or a file too. */
export async function diff(
  paths: readonly [before: string, after: string],
  flags: DiffFlags,
  io: FileIo,
): Promise<void> {
  const write = flags.out === undefined ? undefined : outputTo(flags.out);
  const options = { ...pictureOptions(flags), extraRules: await readRules(flags) };
  const pair = await readPair(paths, flags, io);
  const report = reportOf(pair, flags);
  if (write !== undefined) {
    const { names, before, after, change, measure } = pair;
    const text = {
      title: `${names.before} → ${names.after}`,
      subtitle: report.direction,
      footer: after.notes,
    };
    const request = { kind: 'diff', before, after, measure, names, text, ...options } as const;
    await write({ profile: change, measure, request });
    io.tell(`${flags.out}: ${report.direction}`);
  }
  io.print(flags.json ? report.json() : report.text());
}

async function readPair(
  [beforePath, afterPath]: readonly [string, string],
  flags: DiffFlags,
  io: FileIo,
): Promise<Pair> {
  const inputs = await readInputs([beforePath, afterPath], flags, io.standardInput);
  const [before, after] = inputs.map(({ path, profile }) =>
    measuredBy(profile, flags.count, path),
  ) as [Measured, Measured];
  requireSameMeasure(before, after);
  return {
    names: { before: inputName(beforePath), after: inputName(afterPath) },
    before: before.profile,
    after: after.profile,
    change: subtractBase(after.profile, before.profile),
    measure: after.measure,
  };
}

interface Report {
  /** Both totals and which way it went, in a line. */
  readonly direction: string;
  json(): string;
  text(): string;
}

function reportOf({ names, before, after, change, measure }: Pair, flags: DiffFlags): Report {
  const { filter, limit } = rowOptions(flags);
  const treeOf = ({ tree }: Profile) => filterStacks(flags.raw ? tree : trim(tree).tree, filter);
  const [beforeTree, afterTree] = [treeOf(before), treeOf(after)];
  const compared = diffTrees(beforeTree, afterTree, measure);
  const rows = compared.rows.slice(0, limit);
  const direction = formatChange(compared, measure);
  return {
    direction,
    json() {
      const changes = topSites({
        tree: subtractBase({ ...after, tree: afterTree }, { ...before, tree: beforeTree }).tree,
      });
      const { beforeTotal, afterTotal, matchedShare, isDoubtful } = compared;
      const document = {
        ...{ ...profileSummary(change), measure },
        ...{ beforeTotal, afterTotal, matchedShare, isDoubtful },
        before: { name: names.before, ...profileSummary(before) },
        after: { name: names.after, ...profileSummary(after) },
        rows: changeJson(rows, changes),
      };
      return `${JSON.stringify(document, null, 2)}\n`;
    },
    text() {
      const shown = flags.limit === undefined ? rows.slice(0, USUAL_ROWS) : rows;
      const left = rows.length - shown.length;
      const parts = [
        [
          `before  ${names.before}: ${profileWords({ profile: before, measure })}`,
          ...remarksOf(before),
          `after   ${names.after}: ${profileWords({ profile: after, measure })}`,
          ...remarksOf(after),
        ].join('\n'),
        direction,
        ...(compared.isDoubtful ? [doubtOf(compared.matchedShare)] : []),
        changeTable(shown, measure),
        ...(left > 0 ? [`${formatCountOf(left, 'further function')}: --limit 0 shows all`] : []),
      ];
      return `${parts.join('\n\n')}\n`;
    },
  };
}

function doubtOf(matchedShare: number): string {
  return `Careful: only ${formatShare(matchedShare)} lies in functions that both profiles know. Names that differ between builds look like functions that came and went.`;
}
