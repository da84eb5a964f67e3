import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';
import { Float64, Int64 } from './columns.ts';

/** How the same statement, whatever its literals, fared on this server within the last days. */
export const runHistory = defineQuery({
  name: 'run-history',
  sql: `
SELECT
    count() AS runs,
    max(query_duration_ms) AS longest_ms,
    max(memory_usage) AS peak_bytes
FROM system.query_log
WHERE event_date >= today() - {days: UInt16}
  AND type = 'QueryFinish'
  AND normalized_query_hash IN
      (normalizedQueryHash({sql: String}), normalizedQueryHash(concat({sql: String}, '\\nFORMAT Null')))`,
  params: z.object({ sql: z.string(), days: z.number().int().positive() }),
  row: z.object({ runs: Int64, longest_ms: Float64, peak_bytes: Int64 }).transform((row) => ({
    runs: row.runs,
    longestMs: row.longest_ms,
    peakBytes: row.peak_bytes,
  })),
});
