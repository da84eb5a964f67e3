import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';
import { DecimalText, Int64 } from './columns.ts';

/**
 * The highest peaks since a moment, one row for all runs of the same query. memprof's own queries are left out.
 */
export const highestPeaks = defineQuery({
  name: 'digest-peaks',
  sql: `
SELECT
    normalized_query_hash AS query_hash,
    argMax(query_log.query_id, memory_usage) AS query_id,
    argMax(query_log.user, memory_usage) AS user,
    max(memory_usage) AS peak_bytes,
    count() AS runs
FROM system.query_log
WHERE event_date >= toDate(fromUnixTimestamp64Micro({sinceMicros:Int64}))
    AND event_time_microseconds >= fromUnixTimestamp64Micro({sinceMicros:Int64})
    AND type IN ('QueryFinish', 'ExceptionWhileProcessing')
    AND NOT startsWith(log_comment, 'memprof')
    AND memory_usage >= {smallestBytes:UInt64}
GROUP BY query_hash
ORDER BY peak_bytes DESC, query_hash
LIMIT {limit:UInt32}`,
  params: z.object({
    sinceMicros: z.number().int(),
    smallestBytes: z.number().int(),
    limit: z.number().int(),
  }),
  row: z
    .object({
      query_hash: DecimalText,
      query_id: z.string(),
      user: z.string(),
      peak_bytes: Int64,
      runs: Int64,
    })
    .transform((row) => ({
      queryHash: row.query_hash,
      queryId: row.query_id,
      user: row.user,
      peakBytes: row.peak_bytes,
      runs: row.runs,
    })),
});
