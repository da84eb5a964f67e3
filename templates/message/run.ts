import type { KnownBlock } from '@slack/types';
import { formatBytes, formatCount, formatCountOf, formatDuration } from '../../src/format.ts';
import type { RunCaps, RunProgress } from '../../src/ports.ts';
import { dotted } from '../../src/sentence.ts';
import type { Bytes, Count, Milliseconds } from '../../src/units.ts';
import {
  actions,
  code,
  context,
  escapeMrkdwn,
  inlineCode,
  type Message,
  section,
} from './blocks.ts';
import { askButton } from './buttons.ts';

/** What can be told of a statement before it runs. */
export interface Preflight {
  readonly target: string;
  /** ClickHouse user. */
  readonly user: string;
  readonly sql: string;
  readonly caps: RunCaps;
  /** Those that the server's profile for the user holds lower than the config does. */
  readonly lowered: readonly (keyof RunCaps)[];
  /** Rows that the server expects to read; undefined where it cannot tell. */
  readonly expectedRows: Count | undefined;
  /** Of the same statement within the last days; undefined for one that is new. */
  readonly earlier: EarlierRuns | undefined;
  readonly samplingIntervalBytes: Bytes | undefined;
}

export interface EarlierRuns {
  readonly runs: Count;
  readonly days: Count;
  readonly longestMs: Milliseconds;
  readonly peakBytes: Bytes;
}

/** One line, before it starts: what to expect, and what ends it. */
export function preflightLine(preflight: Preflight): string {
  const { caps, lowered, user } = preflight;
  return [expectation(preflight), capsLine(caps), loweredLine(lowered, user)]
    .filter((part) => part !== '')
    .join(' ');
}

function loweredLine(lowered: Preflight['lowered'], user: string): string {
  const names = lowered.map((name) => CAP_WORDS[name]).join(', ');
  return names === ''
    ? ''
    : `The config would allow more (${names}); the profile of ${user} does not.`;
}

const CAP_WORDS: Readonly<Record<keyof RunCaps, string>> = {
  seconds: 'time',
  memoryBytes: 'memory',
  readRows: 'rows',
  readBytes: 'bytes',
};

function expectation({ expectedRows, earlier, samplingIntervalBytes }: Preflight): string {
  const rows =
    expectedRows === undefined
      ? 'The server cannot say how many rows it will read.'
      : `It reads about ${formatCountOf(expectedRows, 'row')}.`;
  if (earlier === undefined) return `${rows} It did not run here lately, so how long is not known.`;
  const { runs, days, longestMs, peakBytes } = earlier;
  const samples =
    samplingIntervalBytes === undefined || peakBytes < samplingIntervalBytes
      ? ''
      : `, which is about ${formatCountOf(roughly(peakBytes / samplingIntervalBytes), 'sample')} at its peak`;
  return `${rows} ${formatCountOf(runs, 'run')} of it within the last ${days} days took ${formatDuration(longestMs)} and ${formatBytes(peakBytes)} at most${samples}.`;
}

/** Two digits: more would claim to know. */
function roughly(count: Count): Count {
  return Number(count.toPrecision(2));
}

/** What ends the statement when it asks for more. */
export function capsLine({ seconds, memoryBytes, readRows, readBytes }: RunCaps): string {
  return `It is stopped after ${formatDuration(seconds * 1000)}, at ${formatBytes(memoryBytes)} of memory, ${formatCountOf(readRows, 'row')} or ${formatBytes(readBytes)} read.`;
}

/** "45% of 12,000,000 rows, 1.20 GiB". */
export function progressWords({ readRows, totalRows, memoryBytes }: RunProgress): string {
  const rows =
    totalRows > 0 && readRows <= totalRows
      ? `${Math.floor((100 * readRows) / totalRows)}% of ${formatCountOf(totalRows, 'row')}`
      : formatCountOf(readRows, 'row');
  return memoryBytes === undefined || memoryBytes <= 0
    ? rows
    : `${rows}, ${formatBytes(memoryBytes)} held`;
}

/** "12.4 s, 1.20 GiB held". */
export function runningWords(running: {
  readonly elapsedMs: Milliseconds;
  readonly liveBytes: Bytes;
}): string {
  return `${formatDuration(running.elapsedMs)}, ${formatBytes(Math.max(0, running.liveBytes))} held`;
}

/** The exact text that is sent to the server, with the settings that go beside it. */
export function whatRuns({ sql }: Pick<Preflight, 'sql'>): string {
  return `${sql}\nFORMAT Null`;
}

export function approvalFinding({ target, user }: Preflight, askedBy: string): string {
  return `${askedBy} asks to run a SELECT on ${target} as ${user}: somebody else has to approve it.`;
}

/** Nothing ran yet: the statement, what it may cost, and the button for a second person. */
export function approvalBlocks(
  preflight: Preflight,
  about: { readonly investigationId: string; readonly askedBy: string },
): Pick<Message, 'blocks'> {
  const { investigationId, askedBy } = about;
  return {
    blocks: [
      section(
        `*${approvalFinding({ ...preflight, target: escapeMrkdwn(preflight.target), user: escapeMrkdwn(preflight.user) }, askedBy)}*`,
      ),
      code(whatRuns(preflight)),
      section(escapeMrkdwn(preflightLine(preflight))),
      actions(askButton('Approve and run', `approve ${investigationId}`)),
      context(
        'Its rows are thrown away; what held its memory is shown',
        `Investigation ${inlineCode(investigationId)}`,
        `asked by ${askedBy}`,
      ),
    ],
  };
}

export interface RanAnswer {
  readonly preflight: Preflight;
  /** Undefined when an earlier worker had run it. */
  readonly progress: RunProgress | undefined;
  /** Why it did not get to its end. */
  readonly stopped: string | undefined;
  /** mrkdwn. */
  readonly approvedBy: string | undefined;
}

/** Above what peak says: what was run, by whom, and whether it got to its end. */
export function ranBlocks({
  preflight,
  progress,
  stopped,
  approvedBy,
}: RanAnswer): readonly KnownBlock[] {
  const { target, user } = preflight;
  const read =
    progress === undefined
      ? ''
      : `, reading ${formatCount(progress.readRows)} rows (${formatBytes(progress.readBytes)})`;
  const words = [
    stopped === undefined
      ? `Ran once on ${target} as ${user}${read}; its rows were thrown away.`
      : `Ran on ${target} as ${user} and was stopped: ${dotted(stopped)} What it held until then:`,
  ].join(' ');
  const approved = approvedBy === undefined ? '' : ` Approved by ${approvedBy}.`;
  return [section(`${escapeMrkdwn(words)}${approved}`)];
}
