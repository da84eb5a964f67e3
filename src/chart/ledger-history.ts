import type { LevelName } from '../allocator/ledger.ts';
import type { Bytes, EpochMicros } from '../units.ts';

/** How the levels of the ledger went over the last hours. */
export interface LedgerHistory {
  /** In the order of the ledger; levels without points are left out. */
  readonly series: readonly LedgerSeries[];
  readonly startAtMicros: EpochMicros;
  readonly endAtMicros: EpochMicros;
}

export interface LedgerSeries {
  readonly level: LevelName;
  /** In time order. */
  readonly points: readonly { readonly atMicros: EpochMicros; readonly bytes: Bytes }[];
}

/** Which metric of the server's logs is which level. */
const METRICS: readonly (readonly [LevelName, string])[] = [
  ['RSS', 'MemoryResident'],
  ['resident', 'jemalloc.resident'],
  ['active', 'jemalloc.active'],
  ['allocated', 'jemalloc.allocated'],
  ['tracked', 'MemoryTracking'],
];

export interface MetricPoint {
  readonly atMicros: EpochMicros;
  readonly metric: string;
  readonly bytes: Bytes;
}

/** Undefined when the logs hold fewer than two moments. */
export function toLedgerHistory(rows: readonly MetricPoint[]): LedgerHistory | undefined {
  const series = METRICS.map(([level, metric]) => ({
    level,
    points: rows
      .filter((row) => row.metric === metric && Number.isFinite(row.bytes))
      .map(({ atMicros, bytes }) => ({ atMicros, bytes }))
      .sort((a, b) => a.atMicros - b.atMicros),
  })).filter(({ points }) => points.length > 1);
  const moments = series.flatMap(({ points }) => points.map(({ atMicros }) => atMicros));
  if (moments.length === 0) return undefined;
  const [startAtMicros, endAtMicros] = [Math.min(...moments), Math.max(...moments)];
  return { series, startAtMicros, endAtMicros };
}
