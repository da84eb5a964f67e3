import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';
import { Int64 } from './columns.ts';

/** Primary keys in memory, of parts that wait for their removal too. */
export const statsParts = defineQuery({
  name: 'stats-parts',
  sql: `
SELECT
    count() AS parts,
    sum(primary_key_bytes_in_memory_allocated) AS key_bytes
FROM system.parts`,
  params: z.object({}),
  row: z
    .object({ parts: Int64, key_bytes: Int64 })
    .transform((row) => ({ partCount: row.parts, keyBytes: row.key_bytes })),
});

/** Positions of granules in memory; the column came later. */
export const statsGranularity = defineQuery({
  name: 'stats-granularity',
  sql: 'SELECT sum(index_granularity_bytes_in_memory_allocated) AS granularity_bytes FROM system.parts',
  params: z.object({}),
  row: z
    .object({ granularity_bytes: Int64 })
    .transform((row) => ({ granularityBytes: row.granularity_bytes })),
});
