import type { QueryPeakReading, Reading, WasteClassReading } from '../reading.ts';
import type { Bytes, Count, EpochMicros, Milliseconds, Share } from '../units.ts';
import type { DigestState } from './state.ts';

/** What came of asking one server. */
export type TargetLook =
  | {
      readonly kind: 'read';
      readonly reading: Reading;
      /** Readings before this one, newest first. */
      readonly history: readonly Reading[];
    }
  | { readonly kind: 'unread'; readonly target: string; readonly why: string };

export interface DigestRun {
  readonly nowMicros: EpochMicros;
  readonly dueAtMicros: EpochMicros;
  readonly minChangeShare: Share;
  readonly isAlwaysPosted: boolean;
  readonly thresholds: Thresholds;
  /** One for each server that the schedule means now. */
  readonly looks: readonly TargetLook[];
  /** Absent at the first run. */
  readonly state?: DigestState;
}

/**
 * Why a digest speaks. `first`: it never ran before. `nobody`: no server is meant. Of a server: `new` or `gone` in the
 * config, `unread` or `answers` again, `loud` or `calm` by the thresholds, `changed` in its waste.
 */
export interface Reason {
  readonly kind:
    | 'first'
    | 'nobody'
    | 'new'
    | 'gone'
    | 'unread'
    | 'answers'
    | 'loud'
    | 'calm'
    | 'changed';
  readonly target?: string;
}

export interface UnreadRow {
  readonly target: string;
  readonly why: string;
  readonly sinceMicros: EpochMicros;
}

export interface NewPeak extends QueryPeakReading {
  readonly target: string;
  /** The highest peak of this query so far; absent for one that was not known. */
  readonly beforeBytes?: Bytes;
}

export interface DigestPlan {
  /** `alive`: one line a month that nothing changed. */
  readonly kind: 'post' | 'alive' | 'silent';
  readonly reasons: readonly Reason[];
  /** Some server is beyond a threshold of the config. */
  readonly isLoud: boolean;
  /** By how much it runs after its time; absent when it is on time. */
  readonly lateMs?: Milliseconds;
  /** Outliers first. */
  readonly fleet: readonly FleetRow[];
  readonly unread: readonly UnreadRow[];
  /** Servers of the last run that the schedule means no more. */
  readonly gone: readonly string[];
  readonly totalWasteBytes: Bytes;
  /** What the servers that can be compared wasted when people last saw them, and now. */
  readonly compared?: { readonly thenBytes: Bytes; readonly nowBytes: Bytes };
  /** The largest ones, at most three. */
  readonly movements: readonly Movement[];
  /** The highest ones, at most five. */
  readonly newPeaks: readonly NewPeak[];
  /** Runs without a word before this one, and since when. */
  readonly silentRuns: Count;
  readonly lastPostedAtMicros?: EpochMicros;
  readonly state: DigestState;
}

/** What the config calls too much. */
export interface Thresholds {
  readonly wasteBytes?: Bytes;
  /** Of active bytes. */
  readonly wasteShare?: Share;
}

/** One server in a digest. */
export interface FleetRow {
  readonly target: string;
  readonly investigationId: string;
  readonly wasteBytes: Bytes;
  /** Waste ÷ active bytes; absent when these could not be read. */
  readonly wasteShare?: Share;
  /** Against what people last saw; absent when there is nothing to compare with. */
  readonly changeBytes?: Bytes;
  /** Against the median of the last eight readings. */
  readonly againstMedianBytes?: Bytes;
  /** The waste changed by more than the digest lets pass. */
  readonly isChanged: boolean;
  readonly isLoud: boolean;
  /** Its counters began anew since it was last measured, so nothing is compared. */
  readonly isRestarted: boolean;
  /** When the server was last started, if that was after people last saw it. */
  readonly restartedAtMicros?: EpochMicros;
  readonly vanishedArenas: readonly number[];
  readonly topClasses: readonly WasteClassReading[];
  /** Holders that were not among those that people last saw. */
  readonly newHolders: readonly string[];
  readonly movements: readonly Movement[];
  readonly newPeaks: readonly NewPeak[];
  readonly reading: Reading;
}

/** A figure of the allocator that moved by more than the digest lets pass. */
export interface Movement {
  readonly target: string;
  readonly figure: 'allocated' | 'active' | 'resident';
  readonly nowBytes: Bytes;
  readonly changeBytes: Bytes;
}
