import type { Bytes, EpochMicros } from '../units.ts';

/** Live memory over the life of a query, as estimated from samples. Points in time order. */
export interface MemoryCurve {
  readonly points: readonly CurvePoint[];
  /** The highest, then the second and third separate peaks; never empty when `points` is not. */
  readonly peaks: readonly CurvePoint[];
  readonly startAtMicros: EpochMicros;
  readonly endAtMicros: EpochMicros;
  /** The server's own figure for the peak (query_log.memory_usage); drawn as a dashed line. */
  readonly serverPeakBytes?: Bytes;
}

export interface CurvePoint {
  readonly atMicros: EpochMicros;
  /** Can be negative for a query that frees what others allocated. */
  readonly liveBytes: Bytes;
}
