import type { Bytes, Count } from '../units.ts';
import type { CallTree } from './call-tree.ts';

/** Where a profile came from; told from the content, never from a file name. */
export type ProfileKind =
  | 'collapsed'
  | 'heap_v2'
  | 'symbolized'
  | 'pprof'
  | 'trace_log'
  | 'sampled_allocations';

/** A part of the input that was left out because it made no sense. */
export interface SkippedLine {
  /** From 1. */
  readonly lineNumber: Count;
  /** The line itself, cut to a readable length, control characters replaced. */
  readonly text: string;
  readonly why: string;
}

/**
 * Samples of one kind, merged. Plain data (no methods): it is cloned into drawing threads and kept in the store.
 */
export interface Profile {
  readonly kind: ProfileKind;
  readonly tree: CallTree;
  /** `bytes` unless the source knows only objects (`--count`, use_count output). */
  readonly unit: 'bytes' | 'count';
  /** Sum of all stacks, after un-sampling when the source is sampled. */
  readonly totalBytes: Bytes;
  /** Objects behind it; 0 when the source does not tell. */
  readonly totalCount: Count;
  /** Distinct stacks in the source (after merging equal ones). */
  readonly stackCount: Count;
  /** Raw samples behind the totals; undefined when the source does not tell. */
  readonly sampleCount?: Count;
  /** Mean bytes between two samples (2^lg_prof_sample); undefined when not sampled or not known. */
  readonly samplingIntervalBytes?: Bytes;
  /** True when the values are estimates scaled up from samples. */
  readonly unsampled: boolean;
  readonly skippedLines: Count;
  /** The first three of them. */
  readonly firstSkipped: readonly SkippedLine[];
  /** Things that a reader of the numbers must know, one plain sentence each. */
  readonly notes: readonly string[];
}
