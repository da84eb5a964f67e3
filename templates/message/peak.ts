import type { KnownBlock } from '@slack/types';
import type { CurvePoint } from '../../src/chart/memory-curve.ts';
import {
  formatBytes,
  formatCountOf,
  formatDuration,
  formatShare,
  formatUtc,
  formatUtcTime,
} from '../../src/format.ts';
import { confidenceOf } from '../../src/profile/confidence.ts';
import type { AdviceRule } from '../../src/profile/rules/advice-rules.ts';
import { shortenName } from '../../src/profile/short-name.ts';
import type { SubsystemRow } from '../../src/profile/subsystem-shares.ts';
import { UNEXPLAINED } from '../../src/profile/subsystems.ts';
import type { TopRow } from '../../src/profile/top.ts';
import { sentence } from '../../src/sentence.ts';
import type { Bytes, Count, EpochMicros, Milliseconds, Share } from '../../src/units.ts';
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

export interface PeakAnswer {
  readonly target: string;
  readonly queryId: string;
  /** The ClickHouse user that ran it. */
  readonly user: string;
  /** Without its literals. */
  readonly statement: string;
  readonly startMicros: EpochMicros;
  readonly durationMs: Milliseconds;
  /** 0 when it ended well. */
  readonly exceptionCode: number;
  readonly estimateBytes: Bytes;
  /** query_log.memory_usage; 0 where the server did not count. */
  readonly serverPeakBytes: Bytes;
  /** The highest first; never empty. */
  readonly peaks: readonly CurvePoint[];
  readonly sampleType: string;
  /** Samples that were live at the peak: what the estimate rests on. */
  readonly liveSampleCount: Count;
  /** Allocations that were sampled in all. */
  readonly sampleCount: Count;
  /** Undefined for samples that are not taken by bytes. */
  readonly samplingIntervalBytes: Bytes | undefined;
  /** Most first; the unexplained one is among them. */
  readonly subsystems: readonly SubsystemRow[];
  readonly sites: readonly TopRow[];
  readonly advice: AdviceRule | undefined;
  readonly missing: readonly MissingPart[];
  readonly notes: readonly string[];
  /** "trace_log.symbols". */
  readonly symbolSource: string;
  readonly serverVersion: string;
  readonly investigationId: string;
  /** mrkdwn. */
  readonly askedBy: string;
}

const SHOWN_SUBSYSTEMS = 6;
const SHOWN_SITES = 5;
const SHOWN_STATEMENT_CHARS = 500;
/** MEMORY_LIMIT_EXCEEDED */
const MEMORY_LIMIT = 241;

/** One sentence that stands alone: notification, search, pinned text. */
export function peakFinding(answer: PeakAnswer): string {
  const { queryId, target, estimateBytes, exceptionCode, liveSampleCount } = answer;
  const first = mainHolder(answer);
  const where =
    first === undefined
      ? ''
      : `, ${formatShare(first.share)} of it in ${first.subsystem} (${formatBytes(first.bytes)})`;
  const end =
    exceptionCode === 0
      ? ''
      : exceptionCode === MEMORY_LIMIT
        ? '; the memory limit then stopped it'
        : `; it then failed with code ${exceptionCode}`;
  const weak = confidenceOf(liveSampleCount).isWeak
    ? ` (weak: ${formatCountOf(liveSampleCount, 'sample')})`
    : '';
  return `Query ${queryId} held about ${formatBytes(estimateBytes)} at its peak on ${target}${where}${end}${doubt(answer)}${weak}.`;
}

/** Estimate and count that are this far apart cannot both be right. */
const FAR_ABOVE: Share = 1.3;
const FAR_BELOW: Share = 0.7;

/** Said in the finding itself: what the server counted, where the estimate is far from it. */
function doubt(answer: PeakAnswer): string {
  const coverage = peakCoverage(answer);
  if (coverage === undefined || (coverage <= FAR_ABOVE && coverage >= FAR_BELOW)) return '';
  const only = coverage > FAR_ABOVE ? 'only ' : '';
  return `; the server itself counted ${only}${formatBytes(answer.serverPeakBytes)}`;
}

/** Why they can be apart, as far as it is known. */
function doubtLine(answer: PeakAnswer): string {
  const coverage = peakCoverage(answer);
  if (coverage === undefined) return '';
  if (coverage > FAR_ABOVE) {
    return '\nThe estimate is far above the count: work that the server does not charge to the query (connections, logs, caches) was sampled with it, which weighs most in small queries.';
  }
  if (coverage < FAR_BELOW) {
    return '\nThe estimate is far below the count: threads that worked for the query were not sampled, or samples were dropped.';
  }
  return '';
}

/** The subsystem with most, unless nothing but the unexplained is there. */
export function mainHolder({
  subsystems,
}: Pick<PeakAnswer, 'subsystems'>): SubsystemRow | undefined {
  const [first, second] = subsystems;
  if (first === undefined || first.share <= 0) return undefined;
  // What no rule knows is no finding while a known one comes near.
  return first.subsystem === UNEXPLAINED && second !== undefined && second.share > 0.3
    ? second
    : first;
}

/** Estimate ÷ the server's own figure; undefined where the server did not count. */
export function peakCoverage({
  estimateBytes,
  serverPeakBytes,
}: Pick<PeakAnswer, 'estimateBytes' | 'serverPeakBytes'>): Share | undefined {
  return serverPeakBytes <= 0 ? undefined : estimateBytes / serverPeakBytes;
}

export function peakHead(answer: PeakAnswer): readonly KnownBlock[] {
  const { advice } = answer;
  return [
    section(`*${escapeMrkdwn(peakFinding(answer))}*`),
    section(
      escapeMrkdwn(
        [`${sureLine(answer)}${doubtLine(answer)}`, whenLine(answer), subsystemsLine(answer)].join(
          '\n',
        ),
      ),
    ),
    ...(advice === undefined ? [] : [section(`*Try next:* ${escapeMrkdwn(adviceLine(advice))}`)]),
  ];
}

function sureLine(answer: PeakAnswer): string {
  const { estimateBytes, serverPeakBytes, liveSampleCount, samplingIntervalBytes } = answer;
  const coverage = peakCoverage(answer);
  const compared =
    coverage === undefined
      ? 'the server did not count it itself'
      : `the server counted ${formatBytes(serverPeakBytes)} itself (coverage ${formatShare(coverage)})`;
  const { errorShare, isWeak } = confidenceOf(liveSampleCount);
  const each =
    samplingIntervalBytes === undefined
      ? answer.sampleType
      : `one for about every ${formatBytes(samplingIntervalBytes)} allocated`;
  const error =
    errorShare === undefined || samplingIntervalBytes === undefined
      ? ''
      : `, about ±${formatShare(errorShare)}`;
  return `Estimate ${formatBytes(estimateBytes)}; ${compared}. It rests on ${formatCountOf(liveSampleCount, 'sample')}, ${each}${error}${isWeak ? ': weak evidence' : ''}.`;
}

function whenLine({ peaks, startMicros, durationMs }: PeakAnswer): string {
  const [first, ...others] = peaks;
  if (first === undefined) return '';
  // Clocks of threads, and of what writes the samples, differ by some milliseconds.
  const after = ({ atMicros }: CurvePoint) =>
    formatDuration(Math.min(durationMs, Math.max(0, (atMicros - startMicros) / 1000)));
  const further = others.map((peak) => `${formatBytes(peak.liveBytes)} after ${after(peak)}`);
  const rest =
    further.length === 0
      ? ''
      : ` Further ${further.length === 1 ? 'peak' : 'peaks'}: ${further.join(', ')}.`;
  return `Peak at ${formatUtcTime(first.atMicros)}, ${after(first)} into a run of ${formatDuration(durationMs)}.${rest}`;
}

function subsystemsLine({ subsystems }: PeakAnswer): string {
  return subsystems
    .filter(
      ({ subsystem, share }, index) =>
        subsystem === UNEXPLAINED || (index < SHOWN_SUBSYSTEMS && share > 0),
    )
    .map(
      ({ subsystem, share, bytes, isWeak }) =>
        `${subsystem} ${formatShare(share)} (${formatBytes(bytes)}${isWeak && share > 0 ? ', weak' : ''})`,
    )
    .join(' · ');
}

function adviceLine({ tryNext, because }: AdviceRule): string {
  return because === undefined ? sentence(tryNext) : `${sentence(tryNext)} (${sentence(because)})`;
}

export function peakTail(answer: PeakAnswer): readonly KnownBlock[] {
  const { target, missing, notes, statement, user } = answer;
  const pastes = pastesOf(missing);
  return [
    ...(answer.sites.length === 0 ? [] : [siteTable(answer)]),
    code(statement.slice(0, SHOWN_STATEMENT_CHARS)),
    ...notes.map((note) => context(escapeMrkdwn(sentence(note)))),
    ...(missing.length === 0 ? [] : [context(escapeMrkdwn(missingLine(missing)))]),
    ...(pastes === '' ? [] : [code(pastes)]),
    actions(
      askButton('Live heap', `heap ${target}`),
      askButton('Memory ledger', `stats ${target}`),
    ),
    context(
      `Run by ${escapeMrkdwn(user)} ${localTime(answer.startMicros, formatUtc(answer.startMicros))}`,
      `ClickHouse ${escapeMrkdwn(answer.serverVersion)}`,
      `${escapeMrkdwn(answer.sampleType)}, names from ${escapeMrkdwn(answer.symbolSource)}`,
      `Investigation ${inlineCode(answer.investigationId)}`,
      `asked by ${answer.askedBy}`,
    ),
  ];
}

function siteTable({ sites, estimateBytes }: PeakAnswer): KnownBlock {
  return table(
    [
      { title: 'Allocated in' },
      { title: 'Live at the peak', align: 'right' },
      { title: 'Share of the peak', align: 'right' },
      { title: 'Samples', align: 'right' },
    ],
    sites
      .slice(0, SHOWN_SITES)
      .map(({ name, selfBytes, samples, isWeak }) => [
        shortenName(name),
        formatBytes(selfBytes),
        formatShare(selfBytes / estimateBytes),
        samples === undefined ? '' : `${samples}${isWeak ? ' (weak)' : ''}`,
      ]),
  );
}
