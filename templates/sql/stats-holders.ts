import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';
import { Int64 } from './columns.ts';

/** Who says how much he holds, how many they are, and the largest of them. */
const HolderRow = z
  .object({ holders: Int64, bytes: Int64, largest_name: z.string(), largest_bytes: Int64 })
  .transform((row) => ({
    count: row.holders,
    bytes: row.bytes,
    largest: { name: row.largest_name, bytes: row.largest_bytes },
  }));

export type HolderRow = z.output<typeof HolderRow>;

export const statsDictionaries = defineQuery({
  name: 'stats-dictionaries',
  sql: `
SELECT
    count() AS holders,
    sum(bytes_allocated) AS bytes,
    argMax(name, bytes_allocated) AS largest_name,
    max(bytes_allocated) AS largest_bytes
FROM system.dictionaries`,
  params: z.object({}),
  row: HolderRow,
});

/** Tables whose rows live in memory. */
export const statsTables = defineQuery({
  name: 'stats-tables',
  sql: `
SELECT
    count() AS holders,
    sum(ifNull(total_bytes, 0)) AS bytes,
    argMax(concat(database, '.', name), ifNull(total_bytes, 0)) AS largest_name,
    max(ifNull(total_bytes, 0)) AS largest_bytes
FROM system.tables
WHERE engine IN ('Memory', 'Set', 'Join', 'Buffer')`,
  params: z.object({}),
  row: HolderRow,
});

/** Merges and mutations that run now. */
export const statsMerges = defineQuery({
  name: 'stats-merges',
  sql: `
SELECT
    count() AS holders,
    sum(toInt64(memory_usage)) AS bytes,
    argMax(concat(database, '.', table), toInt64(memory_usage)) AS largest_name,
    max(toInt64(memory_usage)) AS largest_bytes
FROM system.merges`,
  params: z.object({}),
  row: HolderRow,
});

/** Queries that run now, this one left out. A query's figure can be negative for an instant. */
export const statsQueries = defineQuery({
  name: 'stats-queries',
  sql: `
SELECT
    count() AS holders,
    sum(greatest(toInt64(memory_usage), 0)) AS bytes,
    argMax(query_id, toInt64(memory_usage)) AS largest_name,
    max(toInt64(memory_usage)) AS largest_bytes
FROM system.processes
WHERE query NOT LIKE '%FROM system.processes%'`,
  params: z.object({}),
  row: HolderRow,
});
