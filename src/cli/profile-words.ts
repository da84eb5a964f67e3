import { formatBytes, formatCountOf } from '../format.ts';
import { confidenceOf } from '../profile/confidence.ts';
import type { Measured } from '../profile/measured.ts';
import type { Profile, ProfileKind } from '../profile/profile.ts';

const KIND_WORDS: Readonly<Record<ProfileKind, string>> = {
  collapsed: 'collapsed stacks',
  heap_v2: 'heap dump',
  symbolized: 'heap dump with symbols',
  pprof: 'pprof profile',
  trace_log: 'trace_log',
  sampled_allocations: 'sampled allocations',
};

/** What a profile holds, how many stacks and objects, and what that rests on, in a line. */
export function profileWords({ profile, measure }: Measured): string {
  const { kind, totalBytes, totalCount, stackCount } = profile;
  return [
    KIND_WORDS[kind],
    formatAmount(measure === 'bytes' ? totalBytes : totalCount, measure),
    ...(measure === 'bytes' && totalCount !== 0 ? [formatAmount(totalCount, 'count')] : []),
    formatCountOf(stackCount, 'stack'),
    ...sampleWords(profile),
  ].join(' · ');
}

/** The samples behind the figures: how many, how much each stands for, and how far they can be trusted. */
function sampleWords({ sampleCount, samplingIntervalBytes }: Profile): readonly string[] {
  if (sampleCount === undefined) return [];
  const { errorShare, isWeak } = confidenceOf(sampleCount);
  const error = errorShare === undefined ? '' : ` ±${(errorShare * 100).toFixed(0)}%`;
  return [
    `${formatCountOf(sampleCount, 'sample')}${error}${isWeak ? ' (weak)' : ''}`,
    ...(samplingIntervalBytes === undefined
      ? []
      : [`1 sample ≈ ${formatBytes(samplingIntervalBytes)}`]),
  ];
}

/** What whoever uses the figures must know: notes of the reader, and what was left out of the input. */
export function remarksOf({ notes, skippedLines, firstSkipped }: Profile): readonly string[] {
  if (skippedLines === 0) return notes;
  const shown = firstSkipped.map(
    ({ lineNumber, text, why }) => `  line ${lineNumber}: ${why}: ${text}`,
  );
  return [
    ...notes,
    `${formatCountOf(skippedLines, 'line')} of the input left out${skippedLines > shown.length ? '; the first of them' : ''}:`,
    ...shown,
  ];
}

export function formatAmount(amount: number, measure: 'bytes' | 'count'): string {
  return measure === 'bytes' ? formatBytes(amount) : formatCountOf(amount, 'object');
}
