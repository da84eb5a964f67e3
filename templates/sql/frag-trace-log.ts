import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';
import { DecimalText, Int64 } from './columns.ts';

const Params = z.object({
  /** How far back samples are looked for. */
  window_s: z.number().int().positive(),
  /** Objects older than this. */
  min_age_s: z.number().int().nonnegative(),
  /** Where age buckets end, in seconds: three of them. */
  age_bounds_s: z.array(z.number().int()).length(3),
  /** Stacks and sizes at most, those with most samples. */
  limit: z.number().int().positive(),
});

const Row = z
  .object({
    size_bytes: Int64,
    trace: z.array(DecimalText),
    symbols: z.array(z.string()),
    samples: Int64,
    ages: z.array(Int64),
  })
  .transform((row) => ({
    sizeBytes: row.size_bytes,
    /** Leaf first. */
    trace: row.trace,
    /** As `trace`; empty when the server does not symbolize. */
    symbols: row.symbols,
    sampleCount: row.samples,
    /** By age: short, minutes, hours, days. */
    ageCounts: row.ages,
  }));

/**
 * Who holds old small objects, where there is no system.jemalloc_sampled_allocations: samples of queries whose last
 * event is an allocation. An object that was freed by a thread that is not sampled looks alive, and everything that
 * was not allocated by a sampled query is missing. Sizes below four pages of 64 KiB: what lies in slabs anywhere.
 */
export const liveSamples = defineQuery({
  name: 'frag-trace-log',
  sql: `
SELECT
    size_bytes,
    trace,
    symbols,
    count() AS samples,
    [
        countIf(age_s < {age_bounds_s:Array(UInt64)}[1]),
        countIf(age_s >= {age_bounds_s:Array(UInt64)}[1] AND age_s < {age_bounds_s:Array(UInt64)}[2]),
        countIf(age_s >= {age_bounds_s:Array(UInt64)}[2] AND age_s < {age_bounds_s:Array(UInt64)}[3]),
        countIf(age_s >= {age_bounds_s:Array(UInt64)}[3])
    ] AS ages
FROM
(
    SELECT
        ptr,
        argMax(size, (timestamp_ns, -size)) AS size_bytes,
        argMax(trace_log.trace, (timestamp_ns, -size)) AS trace,
        argMax(trace_log.symbols, (timestamp_ns, -size)) AS symbols,
        toUInt64(greatest(0, dateDiff('second', max(event_time), now()))) AS age_s
    FROM system.trace_log
    WHERE event_date >= toDate(now() - {window_s:UInt32})
        AND event_time >= now() - {window_s:UInt32}
        AND trace_type = 'JemallocSample'
        AND ptr != 0
        AND abs(size) < 262144
    GROUP BY ptr
    HAVING size_bytes > 0 AND age_s > {min_age_s:UInt64}
)
GROUP BY size_bytes, trace, symbols
ORDER BY samples DESC, size_bytes, trace
LIMIT {limit:UInt32}`,
  params: Params,
  row: Row,
});
