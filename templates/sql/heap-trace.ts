import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';
import { Float64, Int64 } from './columns.ts';

/**
 * What was allocated within the last seconds and is live, by stack, from the samples of the global profiler. Sizes of
 * one pointer are added up: a free has the opposite sign. Each sample stands for 1/(1−exp(−size/interval)) objects
 * (jemalloc, doc_internal/PROFILING_INTERNALS.md). Stacks come leaf first and leave root first.
 */
export const heapTrace = defineQuery({
  name: 'heap-trace',
  sql: `
SELECT
    stack,
    sum(live * objects_of_sample) AS live_bytes,
    sum(objects_of_sample) AS objects,
    count() AS samples
FROM
(
    SELECT
        sum(size) AS live,
        1 / (1 - exp(-live / {interval_bytes: Float64})) AS objects_of_sample,
        arrayReverse(arrayMap(
            (name, address) -> if(name = '', concat('0x', lower(hex(address))), name),
            arrayResize(argMaxIf(symbols, event_time_microseconds, size > 0) AS names, length(addresses), ''),
            argMaxIf(trace, event_time_microseconds, size > 0) AS addresses)) AS stack
    FROM system.trace_log
    WHERE trace_type = 'JemallocSample'
      AND event_date >= toDate(now() - {span_s: UInt32})
      AND event_time >= now() - {span_s: UInt32}
      AND ptr != 0
    GROUP BY ptr
    HAVING live > 0
)
GROUP BY stack
ORDER BY live_bytes DESC
LIMIT {limit: UInt32}`,
  params: z.object({
    interval_bytes: z.number().positive(),
    span_s: z.number().int().positive(),
    limit: z.number().int().positive(),
  }),
  row: z
    .object({ stack: z.array(z.string()), live_bytes: Float64, objects: Float64, samples: Int64 })
    .transform((row) => ({
      stack: row.stack,
      liveBytes: row.live_bytes,
      objectCount: row.objects,
      sampleCount: row.samples,
    })),
});
