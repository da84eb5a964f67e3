import type { KnownBlock } from '@slack/types';
import type { Ledger, LedgerLevel, LedgerPart } from '../../src/allocator/ledger.ts';
import type { LedgerFinding } from '../../src/allocator/ledger-rule.ts';
import type { MemoryFacts } from '../../src/allocator/memory-facts.ts';
import { formatBytes, formatShare, formatUtc } from '../../src/format.ts';
import { sentence } from '../../src/sentence.ts';
import type { EpochMicros } from '../../src/units.ts';
import {
  actions,
  code,
  context,
  escapeMrkdwn,
  inlineCode,
  localTime,
  section,
  table,
} from './blocks.ts';
import { askButton } from './buttons.ts';
import { type MissingPart, missingLine, pastesOf } from './missing.ts';

export interface StatsAnswer {
  readonly target: string;
  readonly facts: MemoryFacts;
  readonly ledger: Ledger;
  /** What counts most first. */
  readonly findings: readonly LedgerFinding[];
  readonly missing: readonly MissingPart[];
  readonly notes: readonly string[];
  readonly readAtMicros: EpochMicros;
  readonly investigationId: string;
  /** mrkdwn. */
  readonly askedBy: string;
}

/** More would bury the first; all of them are in the JSON. */
const SHOWN_FINDINGS = 4;

/** Of what is allocated. */
const LARGE_REST = 0.5;

/** The account of a server's memory in one sentence. */
export function statsFinding({ target, ledger, findings }: StatsAnswer): string {
  const first = findings.find(({ weight }) => weight !== 'note');
  const account = `${accountOf(target, ledger)}.`;
  return first === undefined ? account : `${account} ${sentence(first.says)}`;
}

function accountOf(target: string, { levels, unexplainedBytes }: Ledger): string {
  const of = (name: LedgerLevel['name']) => levels.find((level) => level.name === name);
  const [rss, resident, allocated, tracked] = [
    of('RSS'),
    of('resident'),
    of('allocated'),
    of('tracked'),
  ];
  const whole = rss ?? resident ?? tracked;
  if (whole === undefined) return `${target} says little of its memory`;
  const held = `${target} holds ${formatBytes(whole.bytes)} of memory (${whole.name})`;
  if (allocated === undefined) return held;
  const live = `${held}, ${formatBytes(allocated.bytes)} of it allocated`;
  if (unexplainedBytes === undefined || unexplainedBytes <= 0) return live;
  return `${live}; of that ${formatBytes(unexplainedBytes)} (${formatShare(unexplainedBytes / allocated.bytes)}) is unexplained`;
}

export function statsHead(answer: StatsAnswer): readonly KnownBlock[] {
  const { target, ledger, findings } = answer;
  const shown = findings.slice(0, SHOWN_FINDINGS);
  return [
    section(`*${escapeMrkdwn(`${accountOf(target, ledger)}.`)}*`),
    ...(shown.length === 0
      ? [section(escapeMrkdwn(withoutFinding(answer)))]
      : [section(shown.map(findingLine).join('\n'))]),
  ];
}

/** Nothing is odd only where the rest is small: otherwise it is told that nobody knows yet. */
function withoutFinding({ target, ledger: { levels, unexplainedBytes } }: StatsAnswer): string {
  const allocated = levels.find(({ name }) => name === 'allocated');
  const isLarge =
    unexplainedBytes !== undefined &&
    allocated !== undefined &&
    unexplainedBytes > allocated.bytes * LARGE_REST;
  return isLarge
    ? `No rule tells what the unexplained part is: heap ${target} shows who allocated it.`
    : 'No rule finds anything odd in it.';
}

function findingLine({ says, evidence, next }: LedgerFinding): string {
  const todo = next === undefined ? '' : ` _Next:_ ${escapeMrkdwn(sentence(next))}`;
  return `• ${escapeMrkdwn(`${sentence(says)} (${evidence})`)}${todo}`;
}

export function statsTail(answer: StatsAnswer): readonly KnownBlock[] {
  const { target, facts, missing, notes, readAtMicros, investigationId, askedBy } = answer;
  const pastes = pastesOf(missing);
  return [
    table(
      [
        { title: 'Level and its parts' },
        { title: 'Bytes', align: 'right' },
        { title: 'Share of level', align: 'right' },
        { title: 'Read from' },
      ],
      answer.ledger.levels.flatMap(levelRows),
    ),
    ...(missing.length === 0 ? [] : [context(escapeMrkdwn(missingLine(missing)))]),
    ...(pastes === '' ? [] : [code(pastes)]),
    ...notes.map((note) => context(escapeMrkdwn(sentence(note)))),
    actions(
      askButton('Live heap', `heap ${target}`),
      ...(facts.server === 'clickhouse' ? [askButton('Fragmentation', `frag ${target}`)] : []),
    ),
    context(
      `Read ${localTime(readAtMicros, formatUtc(readAtMicros))}`,
      ...(facts.stats === undefined
        ? []
        : [`jemalloc ${escapeMrkdwn(shortVersion(facts.stats.version))}`]),
      `Investigation ${inlineCode(investigationId)}`,
      `asked by ${askedBy}`,
    ),
  ];
}

/** "5.3.0-0-g54eaed1d8b56…" is 5.3.0 and the commit it was built from. */
export function shortVersion(version: string): string {
  return version.replace(/-\d+-g[0-9a-f]+$/, '');
}

function levelRows(level: LedgerLevel): readonly (readonly string[])[] {
  return [
    [level.name, formatBytes(level.bytes), '', level.source],
    ...level.parts.map((part) => partRow(part, level)),
  ];
}

function partRow({ name, bytes, source }: LedgerPart, level: LedgerLevel): readonly string[] {
  const share = level.bytes === 0 ? '' : formatShare(bytes / level.bytes);
  return [`  ${name}`, formatBytes(bytes), share, source];
}
