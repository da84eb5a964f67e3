import type { KnownBlock } from '@slack/types';
import type { Figures } from '../../src/allocator/memory-facts.ts';
import {
  formatBytes,
  formatCount,
  formatCountOf,
  formatShare,
  formatUtc,
} from '../../src/format.ts';
import { confidenceOf } from '../../src/profile/confidence.ts';
import { shortenName } from '../../src/profile/short-name.ts';
import type { SubsystemRow } from '../../src/profile/subsystem-shares.ts';
import type { TopRow } from '../../src/profile/top.ts';
import { sentence } from '../../src/sentence.ts';
import type { Bytes, Count, EpochMicros, Share } from '../../src/units.ts';
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

export interface HeapAnswer {
  readonly target: string;
  readonly server: 'clickhouse' | 'keeper';
  readonly measure: 'bytes' | 'count';
  /** "system.jemalloc_profile_text". */
  readonly source: string;
  /** Of what is looked at. */
  readonly totalBytes: Bytes;
  readonly totalCount: Count;
  /** Of the whole heap; the same unless only some stacks are looked at. */
  readonly wholeBytes: Bytes;
  /** "focus HashJoin"; absent for all stacks. */
  readonly filter?: string;
  readonly sampleCount: Count | undefined;
  readonly samplingIntervalBytes: Bytes | undefined;
  /** The allocator's own figures at about the same moment. */
  readonly figures: Figures;
  /** What a profile counts more than `allocated`: large allocations as their whole size class. */
  readonly classRoundingBytes: Bytes | undefined;
  /** False when only the threads of sampled queries are in the profile. */
  readonly isProfiledGlobally: boolean | undefined;
  /** Most first; the unexplained one is among them. */
  readonly subsystems: readonly SubsystemRow[];
  readonly sites: readonly TopRow[];
  readonly missing: readonly MissingPart[];
  readonly notes: readonly string[];
  readonly readAtMicros: EpochMicros;
  readonly investigationId: string;
  /** The investigation whose kept profile this is drawn from; its own without one. */
  readonly keptAs: string | undefined;
  /** mrkdwn. */
  readonly askedBy: string;
}

const SHOWN_SUBSYSTEMS = 7;
const UNEXPLAINED = 'unexplained';

export function heapFinding(answer: HeapAnswer): string {
  const { target, measure, totalBytes, totalCount, subsystems, filter, wholeBytes } = answer;
  if (filter !== undefined && totalBytes === 0 && totalCount === 0) {
    return `Nothing that ${target} holds matches ${filter}; all of its heap is ${formatBytes(wholeBytes)}.`;
  }
  const amount =
    measure === 'bytes'
      ? `${formatBytes(totalBytes)} live`
      : formatCountOf(totalCount, 'live object');
  const of = filter === undefined ? '' : ` (${filter})`;
  const first = subsystems.find(({ subsystem }) => subsystem !== UNEXPLAINED);
  if (first === undefined || first.share === 0) {
    return `${target} holds ${amount}${of}${doubtOf(answer, 0)}.`;
  }
  const part = measure === 'bytes' ? formatBytes(first.bytes) : formatCount(first.count);
  return `${target} holds ${amount}${of}, ${formatShare(first.share)} of it in ${first.subsystem} (${part})${doubtOf(answer, first.share)}.`;
}

/** What the first sentence must not hide: that most of the heap is not told by rules, and that few samples stand behind it. */
function doubtOf({ subsystems, sampleCount }: HeapAnswer, largestShare: Share): string {
  const unexplained = subsystems.find(({ subsystem }) => subsystem === UNEXPLAINED)?.share ?? 0;
  const isHidden = unexplained > largestShare && unexplained > 0;
  const isWeak = sampleCount !== undefined && confidenceOf(sampleCount).isWeak;
  return [
    isHidden ? `; for ${formatShare(unexplained)} no rule tells what it is` : '',
    isWeak ? `; weak: from ${formatCountOf(sampleCount, 'sample')} only` : '',
  ].join('');
}

/** Estimate ÷ the allocator's own figure, counted alike; undefined when that is not known. */
export function heapCoverage(answer: HeapAnswer): Share | undefined {
  const { wholeBytes, figures, classRoundingBytes = 0 } = answer;
  const allocated = figures.allocated?.bytes;
  return allocated === undefined || allocated <= 0
    ? undefined
    : wholeBytes / (allocated + classRoundingBytes);
}

export function heapHead(answer: HeapAnswer): readonly KnownBlock[] {
  const lines = [comparedLine(answer), sampledLine(answer), subsystemsLine(answer)];
  return [
    section(`*${escapeMrkdwn(heapFinding(answer))}*`),
    section(escapeMrkdwn(lines.filter((line) => line !== '').join('\n'))),
  ];
}

function comparedLine(answer: HeapAnswer): string {
  const { wholeBytes, figures, isProfiledGlobally } = answer;
  const { allocated, active, resident, rss } = figures;
  const coverage = heapCoverage(answer);
  if (allocated === undefined || coverage === undefined) return '';
  const others = [
    active && `active ${formatBytes(active.bytes)}`,
    resident && `resident ${formatBytes(resident.bytes)}`,
    rss && `RSS ${formatBytes(rss.bytes)}`,
  ].filter((text) => text !== undefined);
  const compared = `The profile finds ${formatBytes(wholeBytes)} of the ${countedWords(answer, allocated.bytes)} (${formatShare(coverage)}); ${others.join(', ')}.`;
  return isProfiledGlobally === false
    ? `${compared} The global profiler is off, so only what sampled queries allocated is seen; jemalloc_enable_global_profiler = 1 in the server's config, and a restart, switch it on.`
    : compared;
}

/** More than this and the two figures would seem to disagree. */
const TOLD_ROUNDING: Share = 0.005;

function countedWords({ classRoundingBytes = 0 }: HeapAnswer, allocatedBytes: Bytes): string {
  const allocated = formatBytes(allocatedBytes);
  return classRoundingBytes < TOLD_ROUNDING * allocatedBytes
    ? `${allocated} that jemalloc counts as allocated`
    : `${formatBytes(allocatedBytes + classRoundingBytes)} that jemalloc counts by size class (${allocated} are allocated: profiles take a large allocation for its whole class)`;
}

function sampledLine({ sampleCount, samplingIntervalBytes, measure }: HeapAnswer): string {
  const interval =
    samplingIntervalBytes === undefined
      ? ''
      : `, one sample for about every ${formatBytes(samplingIntervalBytes)} allocated`;
  if (sampleCount === undefined) return interval === '' ? '' : `Un-sampled${interval}.`;
  const { errorShare, isWeak } = confidenceOf(sampleCount);
  const error =
    errorShare === undefined || measure === 'count' ? '' : `, ±${formatShare(errorShare)} in all`;
  return `${formatCountOf(sampleCount, 'sample')}${interval}${error}${isWeak ? ': weak evidence' : ''}.`;
}

function subsystemsLine({ subsystems, measure }: HeapAnswer): string {
  const shown = subsystems.filter(
    ({ subsystem, share }, index) =>
      subsystem === UNEXPLAINED || (index < SHOWN_SUBSYSTEMS && share > 0),
  );
  return shown
    .map(({ subsystem, share, bytes, count, isWeak }) => {
      const amount = measure === 'bytes' ? formatBytes(bytes) : formatCount(count);
      return `${subsystem} ${formatShare(share)} (${amount}${isWeak ? ', weak' : ''})`;
    })
    .join(' · ');
}

export function heapTail(answer: HeapAnswer): readonly KnownBlock[] {
  const { missing, notes, readAtMicros, investigationId, askedBy, source } = answer;
  const pastes = pastesOf(missing);
  return [
    ...(answer.sites.length === 0 ? [] : [siteTable(answer)]),
    ...notes.map((note) => context(escapeMrkdwn(sentence(note)))),
    ...(missing.length === 0 ? [] : [context(escapeMrkdwn(missingLine(missing)))]),
    ...(pastes === '' ? [] : [code(pastes)]),
    actions(...buttonsOf(answer)),
    context(
      `Read ${localTime(readAtMicros, formatUtc(readAtMicros))} from ${escapeMrkdwn(source)}`,
      `Investigation ${inlineCode(investigationId)}`,
      `asked by ${askedBy}`,
    ),
  ];
}

function siteTable({ sites, measure, totalBytes, totalCount }: HeapAnswer): KnownBlock {
  const whole = measure === 'bytes' ? totalBytes : totalCount;
  return table(
    [
      { title: 'Allocated in' },
      { title: 'Live bytes', align: 'right' },
      { title: 'Objects', align: 'right' },
      { title: measure === 'bytes' ? 'Share of bytes' : 'Share of objects', align: 'right' },
    ],
    sites.map(({ name, selfBytes, selfCount, isWeak }) => {
      const share = (measure === 'bytes' ? selfBytes : selfCount) / whole;
      return [
        shortenName(name),
        formatBytes(selfBytes),
        selfCount === 0 ? '' : formatCount(selfCount),
        `${formatShare(share)}${isWeak ? ' (weak)' : ''}`,
      ];
    }),
  );
}

function buttonsOf({ target, server, measure, keptAs }: HeapAnswer) {
  const other = measure === 'bytes' ? 'count' : 'bytes';
  return [
    // Draws again from what was kept: the server is not asked a second time.
    ...(keptAs === undefined
      ? []
      : [askButton(`By ${other}`, `heap ${target} by:${other} from:${keptAs}`)]),
    askButton('Memory ledger', `stats ${target}`),
    ...(server === 'clickhouse' ? [askButton('Fragmentation', `frag ${target}`)] : []),
  ];
}
