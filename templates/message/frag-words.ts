import {
  type BinSource,
  type Fragmentation,
  type HolderSource,
  unseenClasses,
} from '../../src/allocator/fragmentation.ts';
import { holderName } from '../../src/allocator/holder-name.ts';
import { ageNames } from '../../src/allocator/object-age.ts';
import type { WasteCause } from '../../src/allocator/waste-cause.ts';
import type { HeldClass } from '../../src/allocator/waste-shares.ts';
import type { WasteTrend } from '../../src/digest/trend.ts';
import {
  formatBytes,
  formatCountOf,
  formatDuration,
  formatShare,
  formatSignedBytes,
} from '../../src/format.ts';
import { shortenName } from '../../src/profile/short-name.ts';
import type { Reading } from '../../src/reading.ts';
import { sentence } from '../../src/sentence.ts';
import type { Bytes, EpochMicros, Nanoseconds } from '../../src/units.ts';
import { clip } from './blocks.ts';
import type { MissingPart } from './missing.ts';

export interface FragAnswer {
  readonly target: string;
  readonly fragmentation: Fragmentation;
  readonly minAgeNs: Nanoseconds;
  /** Classes with less waste are not listed. */
  readonly minWasteBytes: Bytes;
  readonly trend: WasteTrend;
  /** The reading that classes are compared with. */
  readonly previous?: Reading;
  /** Whether there was a place to look for earlier readings. */
  readonly hasStore: boolean;
  readonly cause?: WasteCause;
  readonly symbolSource: string;
  readonly missing: readonly MissingPart[];
  readonly readAtMicros: EpochMicros;
  readonly investigationId: string;
  /** mrkdwn. */
  readonly askedBy: string;
}

const HOLDER_LENGTH = 60;

/** The finding in one sentence. */
export function fragFinding(answer: FragAnswer): string {
  const { target, fragmentation } = answer;
  const { waste, shareOfActive, shareOfRss } = fragmentation;
  if (waste.totalWasteBytes === 0) {
    return `${target} wastes nothing in its slabs: every region of every slab is in use.`;
  }
  const shares = [
    shareOfActive === undefined ? '' : `${formatShare(shareOfActive)} of active`,
    shareOfRss === undefined ? '' : `${formatShare(shareOfRss)} of RSS`,
  ].filter((share) => share !== '');
  const ofWhat = shares.length === 0 ? '' : ` (${shares.join(', ')})`;
  const [top] = fragmentation.shares.classes;
  const most =
    top === undefined
      ? ''
      : `, ${formatShare(top.wasteBytes / waste.totalWasteBytes)} of it for objects of ${classWords(top)}`;
  return `${target} wastes ${formatBytes(waste.totalWasteBytes)} in slabs${ofWhat}${most}${holderWords(answer)}.`;
}

function holderWords({ cause, fragmentation }: FragAnswer): string {
  if (cause === undefined) {
    return fragmentation.holderSource === 'none'
      ? '; who holds it is not known, since no samples could be read'
      : '; who holds it is not known, since no old object of these classes was sampled';
  }
  const { shareOfWaste, holder } = cause.evidence;
  return `; ${formatShare(shareOfWaste)} of it is held by ${cause.holder}, the largest part of that by ${shortHolder(holder.stack)}`;
}

/** "256 B in arena 0". */
function classWords({ sizeBytes, arena, purpose }: HeldClass): string {
  const named = purpose === '' ? '' : ` (${purpose})`;
  return arena === undefined
    ? `${formatBytes(sizeBytes)}${named}`
    : `${formatBytes(sizeBytes)} in arena ${arena}${named}`;
}

export function evidenceLine({ evidence }: WasteCause): string {
  const { wasteBytes, objectCount, sampleCount, age } = evidence;
  const weak = sampleCount < 10 ? ', which is weak evidence' : '';
  const lived = { short: 'under a minute', minutes: 'minutes', hours: 'hours', days: 'days' }[age];
  return `Evidence: ${formatBytes(wasteBytes)} of waste beside about ${formatCountOf(objectCount, 'object')} that mostly live ${lived} (${formatCountOf(sampleCount, 'sample')}${weak}).`;
}

export function trendLine({ trend, fragmentation, hasStore, readAtMicros }: FragAnswer): string {
  if (!hasStore) return '';
  if (trend.isRestarted) {
    return 'The server was restarted since the last reading, so its counters began anew and nothing is compared.';
  }
  if (trend.previous === undefined)
    return 'This is the first reading that was kept of this server.';
  const change = trend.changeBytes ?? 0;
  const ago = formatDuration((readAtMicros - trend.previous.atMicros) / 1000);
  const parts = [
    `${change === 0 ? 'unchanged' : formatSignedBytes(change)} since the last reading, ${ago} ago`,
  ];
  if (trend.medianBytes !== undefined) {
    const against = fragmentation.waste.totalWasteBytes - trend.medianBytes;
    parts.push(`${formatSignedBytes(against)} against the median of the last readings`);
  }
  if (trend.vanishedArenas.length > 0) {
    parts.push(`arena ${trend.vanishedArenas.join(', ')} of that reading is gone`);
  }
  return sentence(`Trend: ${parts.join('; ')}`);
}

export function holdersLine({ fragmentation, minAgeNs }: FragAnswer): string {
  const { attributedShare, holderSource, samplingIntervalBytes, shares, waste } = fragmentation;
  if (holderSource === 'none' || waste.totalWasteBytes === 0) return '';
  const samples = shares.classes.reduce((sum, { sampleCount }) => sum + sampleCount, 0);
  const interval =
    samplingIntervalBytes === undefined
      ? ''
      : `, one for each ${formatBytes(samplingIntervalBytes)} allocated`;
  const estimate =
    holderSource === 'trace_log' ? ' This is an estimate from the samples of queries alone.' : '';
  return `Holders are known for ${formatShare(attributedShare)} of the waste, from ${formatCountOf(samples, 'sample')} of objects older than ${formatDuration(minAgeNs / 1e6)}${interval}.${estimate}`;
}

export function agesLine({ fragmentation }: FragAnswer): string {
  const { ages } = fragmentation;
  const total = ageNames.reduce((sum, name) => sum + ages[name], 0);
  if (total === 0) return '';
  const parts = ageNames.map((name) => `${name} ${formatShare(ages[name] / total)}`);
  return `Ages of sampled small objects when the profile was flushed: ${parts.join(', ')}.`;
}

/** What a reader of the numbers must know. */
export function fragNotes(answer: FragAnswer, listedCount: number): readonly string[] {
  const { fragmentation, minWasteBytes } = answer;
  const { waste, objectsWithoutBin, holderSource, binSource } = fragmentation;
  const total = waste.totalWasteBytes;
  return [
    total > 0 && listedCount === 0 ? `no class wastes ${formatBytes(minWasteBytes)} or more` : '',
    waste.dedicatedWasteBytes > 0
      ? `${formatBytes(waste.dedicatedWasteBytes)} more in dedicated arenas (${purposesOf(fragmentation)}), whose objects live long by design: not counted here`
      : '',
    unseenNote(answer),
    total > 0 && holderSource !== 'none'
      ? 'sampled objects lie outside of slabs themselves and stand for their likes inside; ages count from the flush of the profile'
      : '',
    total > 0
      ? 'SYSTEM JEMALLOC PURGE does not return this memory: each of these slabs holds a live object'
      : '',
    binSource === 'jemalloc_bins'
      ? 'this server tells no arenas, so dedicated arenas are counted in'
      : '',
    waste.racedBins > 0
      ? `${formatCountOf(waste.racedBins, 'class', 'classes')} reported more live objects than fit (counters of two moments) and count as without waste`
      : '',
    objectsWithoutBin > 0
      ? `${formatCountOf(objectsWithoutBin, 'sampled object')} of classes without a bin: the two tables are a moment apart`
      : '',
  ].filter((note) => note !== '');
}

function unseenNote(answer: FragAnswer): string {
  const { fragmentation, minWasteBytes } = answer;
  if (fragmentation.holderSource === 'none') return '';
  const [unseen, ...more] = unseenClasses(fragmentation, Math.max(1, minWasteBytes));
  if (unseen === undefined) return '';
  const { held, lgInterval } = unseen;
  const also =
    more.length === 0 ? '' : ` (and ${formatCountOf(more.length, 'more class', 'more classes')})`;
  const samples =
    held.sampleCount === 0 ? 'no sample' : `only ${formatCountOf(held.sampleCount, 'sample')}`;
  const remedy =
    lgInterval === undefined
      ? 'it has too few objects for any sampling rate to show'
      : `jemalloc_profiler_sampling_rate ${lgInterval} (one for each ${formatBytes(2 ** lgInterval)}) or finer would show it; a change of that setting needs a restart`;
  return `too few samples for ${classWords(held)}${also}: ${samples}; ${remedy}`;
}

function purposesOf({ waste }: Fragmentation): string {
  return [...new Set(waste.dedicated.map(({ purpose }) => purpose))].join(', ');
}

const binWords: Readonly<Record<BinSource, string>> = {
  jemalloc_arena_bins: 'slabs from jemalloc_arena_bins',
  jemalloc_stats: "slabs from jemalloc's statistics text (no jemalloc_arena_bins to read)",
  jemalloc_bins: 'slabs from jemalloc_bins, all arenas added up',
};

const holderSourceWords: Readonly<Record<HolderSource, string>> = {
  jemalloc_sampled_allocations: 'holders from jemalloc_sampled_allocations',
  trace_log: 'holders estimated from JemallocSample rows of trace_log',
  jemalloc_profile_text: 'holders estimated from the live heap profile, of any age',
  none: 'no holders',
};

export function sourceWords({ fragmentation, symbolSource }: FragAnswer): string {
  const { binSource, holderSource } = fragmentation;
  const hasSamples = fragmentation.shares.classes.some(({ sampleCount }) => sampleCount > 0);
  const names = hasSamples && holderSource !== 'none' ? `, names from ${symbolSource}` : '';
  return `${binWords[binSource]}, ${holderSourceWords[holderSource]}${names}`;
}

export function shortHolder(stack: readonly string[]): string {
  return clip(shortenName(holderName(stack)), HOLDER_LENGTH);
}
