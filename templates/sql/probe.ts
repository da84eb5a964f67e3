import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';

/** What a server has, in questions that also the oldest one answers: no parameters, no new functions. */

export const probeVersion = defineQuery({
  name: 'probe-version',
  sql: 'SELECT version() AS version',
  params: z.object({}),
  row: z.object({ version: z.string() }),
});

/**
 * Columns of the system tables that memprof reads, as far as the user may see them. `type` tells which samples the Enum
 * of trace_log knows. metric_log has 1,500 columns, of which one matters.
 */
export const probeColumns = defineQuery({
  name: 'probe-columns',
  sql: `
SELECT table, name, type
FROM system.columns
WHERE database = 'system'
  AND table IN (
    'asynchronous_metric_log', 'asynchronous_metrics', 'dictionaries', 'events', 'jemalloc_arena_bins',
    'jemalloc_bins', 'jemalloc_profile_text', 'jemalloc_sampled_allocations', 'jemalloc_stats', 'merges',
    'metric_log', 'metrics', 'parts', 'processes', 'query_log', 'server_settings', 'trace_log')
  AND (table != 'metric_log' OR name = 'CurrentMetric_MemoryTracking')`,
  params: z.object({}),
  row: z.object({ table: z.string(), name: z.string(), type: z.string() }),
});

export const probeSettings = defineQuery({
  name: 'probe-settings',
  sql: `
SELECT name
FROM system.settings
WHERE name LIKE '%jemalloc%' OR name LIKE 'memory_profiler%'
  OR name IN ('allow_introspection_functions', 'log_comment', 'cancel_http_readonly_queries_on_client_close')`,
  params: z.object({}),
  row: z.object({ name: z.string() }),
});

export const probeFunctions = defineQuery({
  name: 'probe-functions',
  sql: `
SELECT name
FROM system.functions
WHERE name IN ('addressToSymbol', 'addressToLine', 'demangle', 'flameGraph', 'queryID')`,
  params: z.object({}),
  row: z.object({ name: z.string() }),
});

export const probeServerSettings = defineQuery({
  name: 'probe-server-settings',
  sql: "SELECT name, value FROM system.server_settings WHERE name LIKE '%jemalloc%'",
  params: z.object({}),
  row: z.object({ name: z.string(), value: z.string() }),
});

export const probeProfiler = defineQuery({
  name: 'probe-profiler',
  sql: "SELECT metric, value FROM system.asynchronous_metrics WHERE metric LIKE 'jemalloc.prof.%'",
  params: z.object({}),
  row: z.object({ metric: z.string(), value: z.coerce.number() }),
});

/** One row a grant. Servers before 20 know no grants. */
export const probeGrants = defineQuery({
  name: 'probe-grants',
  sql: 'SHOW GRANTS',
  params: z.object({}),
  row: z
    .record(z.string(), z.string())
    .transform((row) => ({ grant: Object.values(row)[0] ?? '' })),
});
