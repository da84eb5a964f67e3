import type { Bytes, Count, EpochMicros, Share } from './units.ts';

export const readingKinds = ['frag', 'peak', 'heap', 'stats'] as const;

export type ReadingKind = (typeof readingKinds)[number];

/**
 * The summary of one look at a server. Readings are small and kept for ever, so that trends outlive every restart
 * and an old thread still means something when its raw data is gone.
 */
export interface Reading {
  readonly investigationId: string;
  readonly target: string;
  readonly kind: ReadingKind;
  /** What it is a reading of beside the server: a query's normalized hash. Empty for the server itself. */
  readonly subject: string;
  readonly atMicros: EpochMicros;
  /** When the server started: counters of two starts are not comparable. Absent when it could not be told. */
  readonly serverStartedAtMicros?: EpochMicros;
  /** The finding in one sentence. */
  readonly finding: string;
  readonly figures: Figures;
  /** Indexes of all arenas that were seen; empty when the source adds them up. */
  readonly arenas: readonly number[];
  /** Classes with most waste. */
  readonly wasteClasses: readonly WasteClassReading[];
  /** Queries with the highest peaks since the reading before. */
  readonly queryPeaks: readonly QueryPeakReading[];
}

/** Whole bytes; what was not read is absent, never 0. */
export interface Figures {
  readonly wasteBytes?: Bytes;
  readonly dedicatedWasteBytes?: Bytes;
  readonly attributedBytes?: Bytes;
  readonly allocatedBytes?: Bytes;
  readonly activeBytes?: Bytes;
  readonly residentBytes?: Bytes;
  readonly rssBytes?: Bytes;
  readonly estimateBytes?: Bytes;
  readonly serverPeakBytes?: Bytes;
}

export interface WasteClassReading {
  /** Absent when the source adds all arenas up. */
  readonly arena?: number;
  readonly purpose: string;
  readonly sizeBytes: Bytes;
  readonly wasteBytes: Bytes;
  readonly utilisation: Share;
  /** The frame that names who holds most of it; empty when nobody was sampled. */
  readonly holder: string;
}

export interface QueryPeakReading {
  /** normalized_query_hash, decimal: 64 bits do not fit a number. */
  readonly queryHash: string;
  readonly queryId: string;
  readonly user: string;
  readonly peakBytes: Bytes;
  /** How often it ran. */
  readonly runs: Count;
}

/** What a kept profile is found by. */
export interface ProfileKey {
  readonly investigationId: string;
  readonly target: string;
  readonly kind: ReadingKind;
  /** As in a reading. */
  readonly subject: string;
  readonly atMicros: EpochMicros;
}
