import type { Bytes, Count } from '../units.ts';

/** Below this many samples a figure is an anecdote: its error is a third of it or more (1/√n). */
const SOUND_SAMPLE_COUNT = 10;

/** How far sampled allocations can be trusted to tell who holds a class. */
export type SampleEvidence = 'none' | 'weak' | 'sound';

export function evidenceOf(sampleCount: Count): SampleEvidence {
  if (sampleCount === 0) return 'none';
  return sampleCount < SOUND_SAMPLE_COUNT ? 'weak' : 'sound';
}

/**
 * The largest sampling interval, as jemalloc's lg_prof_sample, at which about ten of these objects would be sampled;
 * undefined when there are too few of them for any interval. An object of s bytes is sampled with the probability
 * 1 − exp(−s/R) at the interval R (jemalloc, doc_internal/PROFILING_INTERNALS.md).
 */
export function lgIntervalThatShows(sizeBytes: Bytes, objectCount: Count): number | undefined {
  if (objectCount <= SOUND_SAMPLE_COUNT) return undefined;
  const probability = SOUND_SAMPLE_COUNT / objectCount;
  return Math.max(0, Math.floor(Math.log2(-sizeBytes / Math.log1p(-probability))));
}
