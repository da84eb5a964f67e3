import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';
import { DecimalText, Float64, Int64 } from './columns.ts';

/** A number, or undefined where the setting is not in the map. */
const SettingValue = z
  .string()
  .transform((text) => (text === '' ? undefined : Number(text)))
  .refine((value) => value === undefined || Number.isFinite(value), 'a number');

/**
 * The latest run of a query by its id, and of the parts that other servers sent here under it. Literals are taken out
 * of its text by the server, so that they never leave it. `hash` is the same for all runs of one statement.
 */
export const findFinishedQuery = defineQuery({
  name: 'peak-find',
  sql: `
SELECT
    query_log.query_id AS query_id,
    toString(type) AS ending,
    user,
    toUnixTimestamp64Micro(query_start_time_microseconds) AS start_micros,
    query_duration_ms AS duration_ms,
    memory_usage AS memory_bytes,
    exception_code,
    normalizeQuery(query) AS statement,
    normalized_query_hash AS hash,
    Settings['jemalloc_enable_profiler'] AS profiler,
    Settings['jemalloc_collect_profile_samples_in_trace_log'] AS collects,
    Settings['memory_profiler_sample_probability'] AS probability,
    Settings['memory_profiler_step'] AS step,
    count() OVER (PARTITION BY query_log.query_id) AS runs
FROM system.query_log
WHERE event_date >= toDate(now() - {span_s: UInt32})
    AND (query_log.query_id = {query_id: String} OR initial_query_id = {query_id: String})
    AND type != 'QueryStart'
ORDER BY query_log.query_id = {query_id: String} DESC, event_time_microseconds DESC
LIMIT 100`,
  params: z.object({ query_id: z.string().min(1), span_s: z.number().int().positive() }),
  row: z
    .object({
      query_id: z.string(),
      ending: z.string(),
      user: z.string(),
      start_micros: Int64,
      duration_ms: Int64,
      memory_bytes: Int64,
      exception_code: z.number(),
      statement: z.string(),
      hash: DecimalText,
      profiler: SettingValue,
      collects: SettingValue,
      probability: SettingValue,
      step: SettingValue,
      runs: Int64,
    })
    .transform((row) => ({
      queryId: row.query_id,
      /** QueryFinish, ExceptionWhileProcessing, ExceptionBeforeStart. */
      ending: row.ending,
      user: row.user,
      startMicros: row.start_micros,
      durationMs: row.duration_ms,
      memoryBytes: row.memory_bytes,
      exceptionCode: row.exception_code,
      statement: row.statement,
      hash: row.hash,
      isProfiled: row.profiler === 1,
      isCollected: row.collects === 1,
      sampleProbability: row.probability,
      stepBytes: row.step,
      runs: row.runs,
    })),
});

export const findRunningQuery = defineQuery({
  name: 'peak-running',
  sql: `
SELECT elapsed, memory_usage AS live_bytes, peak_memory_usage AS peak_bytes, user
FROM system.processes
WHERE processes.query_id = {query_id: String} OR initial_query_id = {query_id: String}
ORDER BY peak_memory_usage DESC
LIMIT 1`,
  params: z.object({ query_id: z.string().min(1) }),
  row: z
    .object({ elapsed: Float64, live_bytes: Int64, peak_bytes: Int64, user: z.string() })
    .transform((row) => ({
      elapsedMs: row.elapsed * 1000,
      liveBytes: row.live_bytes,
      peakBytes: row.peak_bytes,
      user: row.user,
    })),
});

/** How far back query_log goes: for the sentence that a query is not in it. */
export const queryLogSpan = defineQuery({
  name: 'peak-log-span',
  sql: `
SELECT
    count() AS entries,
    toUnixTimestamp64Micro(min(event_time_microseconds)) AS oldest_micros,
    countIf(type = 'QueryStart' AND query_log.query_id = {query_id: String}) AS starts
FROM system.query_log`,
  params: z.object({ query_id: z.string().min(1) }),
  row: z.object({ entries: Int64, oldest_micros: Int64, starts: Int64 }).transform((row) => ({
    entries: row.entries,
    oldestMicros: row.oldest_micros,
    starts: row.starts,
  })),
});
