/**
 * SQL of the tables that a 26.9 server has and this build lacks or cannot fill. Each is made only when the engine
 * does not have it, is labelled EMULATED in its comment, and is listed in `emulated.ts`. Column names and meanings
 * follow the server's own tables (ClickHouse, src/Storages/System/StorageSystemJemalloc*.cpp).
 */

/** Names that stand in `system` in place of built-in ones; taken away before each start. */
export const shadowedTables = [
  'jemalloc_profile_text',
  'jemalloc_arena_bins',
  'jemalloc_sampled_allocations',
  'jemalloc_sampled_allocations_next',
  'asynchronous_metrics',
] as const;

const AS_ADMIN = 'DEFINER = admin SQL SECURITY DEFINER';

/** Rows of `bins:` and `large:` of each arena in the allocator's statistics text. */
export const arenaBinsView = `CREATE VIEW system.jemalloc_arena_bins ${AS_ADMIN} AS
WITH
  lines AS (
    SELECT position, line
    FROM (SELECT splitByChar('\\n', stats) AS all_lines FROM system.jemalloc_stats)
    ARRAY JOIN all_lines AS line, arrayEnumerate(all_lines) AS position
  ),
  marked AS (
    SELECT
      position,
      line,
      toInt32OrNull(extract(line, '^arenas\\\\[(\\\\d+)\\\\]:')) AS starts_arena,
      nullIf(extract(line, '^name: "?([^"]*)"?'), '') AS names_arena,
      multiIf(
        startsWith(line, 'bins:'), 'bins',
        startsWith(line, 'large:') AND position(line, 'curlextents') > 0, 'large',
        match(line, '^[a-zA-Z]'), 'other',
        NULL) AS starts_section
    FROM lines
  ),
  placed AS (
    SELECT
      line,
      last_value(starts_arena) OVER so_far AS in_arena,
      last_value(names_arena) OVER so_far AS arena_name,
      last_value(starts_section) OVER so_far AS section
    FROM marked
    WINDOW so_far AS (ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  ),
  cells AS (
    SELECT in_arena, arena_name, section = 'large' AS is_large, splitByWhitespace(trimLeft(line)) AS c
    FROM placed
    WHERE in_arena IS NOT NULL AND section IN ('bins', 'large') AND match(line, '^ +\\\\d+ +\\\\d+ +\\\\d+ +\\\\d+')
  )
SELECT
  assumeNotNull(in_arena)::UInt32 AS arena,
  if(startsWith(ifNull(arena_name, ''), 'auto'), '', ifNull(arena_name, '')) AS purpose,
  c[2]::UInt16 AS index,
  is_large::UInt8 AS large,
  c[1]::UInt64 AS size,
  c[4]::Int64 AS allocations,
  c[6]::Int64 AS deallocations,
  if(is_large, 0, toInt64OrZero(c[14])) AS nregs,
  if(is_large, 0, toInt64OrZero(c[12])) AS curslabs,
  if(is_large, 0, toInt64OrZero(c[11])) AS curregs,
  toUInt64(if(is_large, 0, toInt64OrZero(c[15]) * 4096)) AS slab_size,
  if(is_large, 0, toInt64OrZero(c[13])) AS nonfull_slabs,
  toUInt64(nregs * curslabs) AS availregs,
  if(availregs = 0, nan, curregs / availregs) AS util,
  toUInt64(greatest(curslabs * toInt64(slab_size) - curregs * toInt64(size), 0)) AS waste
FROM cells
COMMENT 'EMULATED: a view over system.jemalloc_stats'`;

/** The metrics that a server's AsynchronousMetrics thread would publish, read at the moment of the question. */
export const asynchronousMetricsView = `CREATE VIEW system.asynchronous_metrics ${AS_ADMIN} AS
WITH
  (SELECT stats FROM system.jemalloc_stats) AS stats,
  (SELECT splitByWhitespace(line) FROM file('/proc/self/statm', 'LineAsString', 'line String') LIMIT 1) AS statm
SELECT pair.1 AS metric, pair.2 AS value, 'EMULATED: from system.jemalloc_stats and /proc' AS description
FROM (
  SELECT arrayJoin([
    ('jemalloc.allocated', toFloat64OrZero(extract(stats, 'Allocated: (\\\\d+)'))),
    ('jemalloc.active', toFloat64OrZero(extract(stats, 'active: (\\\\d+)'))),
    ('jemalloc.metadata', toFloat64OrZero(extract(stats, 'metadata: (\\\\d+)'))),
    ('jemalloc.resident', toFloat64OrZero(extract(stats, 'resident: (\\\\d+)'))),
    ('jemalloc.mapped', toFloat64OrZero(extract(stats, 'mapped: (\\\\d+)'))),
    ('jemalloc.retained', toFloat64OrZero(extract(stats, 'retained: (\\\\d+)'))),
    ('jemalloc.prof.lg_sample', toFloat64OrZero(extract(stats, 'prof.lg_sample: (\\\\d+)'))),
    ('jemalloc.prof.active', toFloat64(extract(stats, 'prof.active: (\\\\w+)') = 'true')),
    ('jemalloc.prof.thread_active_init', toFloat64(extract(stats, 'prof.thread_active_init: (\\\\w+)') = 'true')),
    ('MemoryVirtual', toFloat64OrZero(statm[1]) * 4096),
    ('MemoryResident', toFloat64OrZero(statm[2]) * 4096),
    ('MemoryShared', toFloat64OrZero(statm[3]) * 4096)
  ]) AS pair
)`;

/** Rows are written anew before each read: see sampled-allocations.ts. */
export function sampledAllocationsTable(name: string): string {
  return `CREATE OR REPLACE TABLE ${name}
(
  trace Array(UInt64),
  age_ns UInt64,
  size UInt64,
  usize UInt64,
  size_class UInt16,
  arena UInt32,
  thr_uid UInt64,
  sample_interval UInt64,
  alloc_time DateTime ALIAS now() - toIntervalSecond(intDiv(age_ns, 1000000000)),
  weight Float64 ALIAS 1 / (1 - exp(-usize / sample_interval))
)
ENGINE = Memory
COMMENT 'EMULATED: from heap dumps, one row a live sample; size is the mean of its stack and thread, age since a dump first showed it, arena 0 (this engine has one)'`;
}

/** Reads the file of the format that is asked for; the front writes it before the question goes on. */
export function profileTextView(publishedDir: string): string {
  return `CREATE VIEW system.jemalloc_profile_text (line String) ${AS_ADMIN} AS
SELECT line
FROM file(
  '${publishedDir}/' || getSetting('jemalloc_profile_text_output_format')
    || if(getSetting('jemalloc_profile_text_output_format') = 'collapsed' AND getSetting('jemalloc_profile_text_collapsed_use_count'), '-count', '')
    || '.txt',
  'LineAsString', 'line String')
SETTINGS max_threads = 1
COMMENT 'EMULATED: the dump is real, the way to it is a file'`;
}
