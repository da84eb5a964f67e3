import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';
import { Float64, Int64 } from './columns.ts';

const Span = z.object({
  /** How far back, in seconds. */
  span_s: z.number().int().positive(),
  /** Width of a point, in seconds. */
  step_s: z.number().int().positive(),
});

const Row = z
  .object({ at_s: Int64, metric: z.string(), bytes: Float64 })
  .transform((row) => ({ atMicros: row.at_s * 1e6, metric: row.metric, bytes: row.bytes }));

/** The last hours of the allocator's totals and of RSS, averaged over each step. */
export const statsHistory = defineQuery({
  name: 'stats-history',
  sql: `
SELECT
    intDiv(toUnixTimestamp(event_time), {step_s: UInt32}) * {step_s: UInt32} AS at_s,
    metric,
    avg(value) AS bytes
FROM system.asynchronous_metric_log
WHERE event_date >= toDate(now() - {span_s: UInt32})
  AND event_time >= now() - {span_s: UInt32}
  AND metric IN ('jemalloc.allocated', 'jemalloc.active', 'jemalloc.resident', 'MemoryResident')
GROUP BY at_s, metric
ORDER BY at_s, metric`,
  params: Span,
  row: Row,
});

/** The same of the memory tracker, which another log keeps. */
export const statsHistoryTracked = defineQuery({
  name: 'stats-history-tracked',
  sql: `
SELECT
    intDiv(toUnixTimestamp(event_time), {step_s: UInt32}) * {step_s: UInt32} AS at_s,
    'MemoryTracking' AS metric,
    avg(CurrentMetric_MemoryTracking) AS bytes
FROM system.metric_log
WHERE event_date >= toDate(now() - {span_s: UInt32})
  AND event_time >= now() - {span_s: UInt32}
GROUP BY at_s
ORDER BY at_s`,
  params: Span,
  row: Row,
});
