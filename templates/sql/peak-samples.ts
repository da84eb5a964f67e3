import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';
import { DecimalText, Float64, Int64 } from './columns.ts';

/** Which rows of trace_log are a query's: of its parts, within its own time. */
const Span = z.object({
  query_ids: z.array(z.string()).min(1),
  from_micros: z.number().int(),
  until_micros: z.number().int(),
});

/** The sort key of trace_log begins with date and time: without these a log of terabytes is read whole. */
const WITHIN = `event_date >= toDate(fromUnixTimestamp64Micro({from_micros: Int64}))
    AND event_date <= toDate(fromUnixTimestamp64Micro({until_micros: Int64}))
    AND event_time >= toDateTime(intDiv({from_micros: Int64}, 1000000))
    AND event_time <= toDateTime(intDiv({until_micros: Int64}, 1000000) + 1)`;

/** How many samples of which type a query left, and whether their frees were recorded. */
export const countSamples = defineQuery({
  name: 'peak-count',
  sql: `
SELECT
    toString(trace_type) AS type,
    count() AS samples,
    countIf(size < 0) AS frees,
    countIf(ptr != 0) AS with_pointer
FROM system.trace_log
WHERE ${WITHIN}
    AND has({query_ids: Array(String)}, trace_log.query_id)
    AND trace_type IN ('JemallocSample', 'MemorySample', 'MemoryPeak', 'Memory')
GROUP BY type
ORDER BY type`,
  params: Span,
  row: z
    .object({ type: z.string(), samples: Int64, frees: Int64, with_pointer: Int64 })
    .transform((row) => ({
      type: row.type,
      sampleCount: row.samples,
      freeCount: row.frees,
      pointerCount: row.with_pointer,
    })),
});

/** The same on servers before 25.9, whose Enum does not know JemallocSample and refuses to compare with it. */
export const countOldSamples = defineQuery({
  ...countSamples,
  name: 'peak-count-old',
  sql: countSamples.sql.replace("'JemallocSample', ", ''),
});

/**
 * How much memory a sample stands for. jemalloc takes one in `interval_bytes` bytes, so an object of that size stands
 * for 1/(1−exp(−size/interval)) of its kind (jemalloc, doc_internal/PROFILING_INTERNALS.md); MemorySample takes
 * allocations by chance, so each stands for 1/probability, here `scale`.
 */
const Weight = z.object({
  trace_type: z.string(),
  /** 0: `scale` counts. */
  interval_bytes: z.number().nonnegative(),
  scale: z.number().positive(),
});
const objectsOfSample = (bytes: 'bytes' | 'size' | 'abs(size)') =>
  `if({interval_bytes: Float64} > 0, 1 / (1 - exp(-${bytes} / {interval_bytes: Float64})), {scale: Float64})`;

/** Everything that happened at the addresses at which the query allocated, whoever did it. */
const AT_OWN_POINTERS = `FROM system.trace_log
WHERE ${WITHIN}
    AND toString(trace_type) = {trace_type: String}
    AND ptr IN (
        SELECT ptr
        FROM system.trace_log
        WHERE ${WITHIN}
            AND toString(trace_type) = {trace_type: String}
            AND has({query_ids: Array(String)}, trace_log.query_id)
            AND size > 0
            AND ptr != 0)`;

const CurveParams = Span.extend(Weight.shape).extend({ buckets: z.number().int().positive() });

/** One bucket of the curve. */
const CurveRow = z
  .object({ at_micros: Int64, at_ns: DecimalText, highest: Float64, last: Float64 })
  .transform((row) => ({
    /** Of the highest value in the bucket. */
    atMicros: row.at_micros,
    atNs: row.at_ns,
    highestBytes: row.highest,
    lastBytes: row.last,
  }));

/** Sums changes over time, and leaves of each bucket its highest value, so that no peak is lost. */
const BUCKETS = `
SELECT
    toInt64(intDiv(argMax(at, live), 1000)) AS at_micros,
    argMax(at, live) AS at_ns,
    max(live) AS highest,
    argMax(live, at) AS last
FROM
(
    SELECT at, sum(change) OVER (ORDER BY at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS live
    FROM changes
)
GROUP BY intDiv(
    at - toUInt64({from_micros: Int64}) * 1000,
    greatest(1, intDiv(toUInt64({until_micros: Int64} - {from_micros: Int64}) * 1000, {buckets: UInt64})))
ORDER BY at_ns`;

/**
 * Live memory over time, of samples that carry a pointer. A sampled object lives from its allocation to the next thing
 * that happens at its address: its free, by whichever thread, or another allocation there when the free was not seen.
 * Frees of what the query did not allocate count nothing.
 */
export const pairedCurve = defineQuery({
  name: 'peak-curve',
  sql: `
WITH
    objects AS
    (
        SELECT at, until_ns, bytes * ${objectsOfSample('bytes')} AS estimate
        FROM
        (
            SELECT
                timestamp_ns AS at,
                size AS bytes,
                has({query_ids: Array(String)}, trace_log.query_id) AND size > 0 AS is_own,
                leadInFrame(timestamp_ns, 1, 0) OVER (
                    PARTITION BY ptr ORDER BY timestamp_ns, size
                    ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS until_ns
            ${AT_OWN_POINTERS}
        )
        WHERE is_own
    ),
    changes AS
    (
        SELECT at, sum(change) AS change
        FROM
        (
            SELECT at, estimate AS change FROM objects
            UNION ALL
            SELECT until_ns AS at, -estimate AS change FROM objects WHERE until_ns != 0
        )
        GROUP BY at
    )
${BUCKETS}`,
  params: CurveParams,
  row: CurveRow,
});

/** The same for samples without a pointer: each row is a change of its own. */
export const unpairedCurve = defineQuery({
  name: 'peak-curve-unpaired',
  sql: `
WITH
    changes AS
    (
        SELECT timestamp_ns AS at, sum(size * ${objectsOfSample('abs(size)')}) AS change
        FROM system.trace_log
        WHERE ${WITHIN}
            AND toString(trace_type) = {trace_type: String}
            AND has({query_ids: Array(String)}, trace_log.query_id)
        GROUP BY at
    )
${BUCKETS}`,
  params: CurveParams,
  row: CurveRow,
});

const StackParams = Span.extend(Weight.shape).extend({
  peak_ns: z.string().regex(/^\d+$/),
  limit: z.number().int().positive(),
});

const StackRow = z
  .object({
    stack_addresses: z.array(DecimalText),
    stack_symbols: z.array(z.string()),
    live_bytes: Float64,
    objects: Float64,
    samples: Int64,
  })
  .transform((row) => ({
    /** Leaf first, decimal. */
    addresses: row.stack_addresses,
    /** As `addresses`; empty when the server does not symbolize, and an empty name where it could not. */
    symbols: row.stack_symbols,
    liveBytes: row.live_bytes,
    objectCount: row.objects,
    sampleCount: row.samples,
  }));

/** What each stack is, looked up once a stack: arrays are not carried through the pairing. */
const STACKS_OF_QUERY = `
        SELECT cityHash64(trace_log.trace) AS stack_hash, any(trace_log.trace) AS stack_addresses, any(symbols) AS stack_symbols
        FROM system.trace_log
        WHERE ${WITHIN}
            AND toString(trace_type) = {trace_type: String}
            AND has({query_ids: Array(String)}, trace_log.query_id)
            AND size > 0
        GROUP BY stack_hash`;

/** Stacks of what is live at a moment, the largest first. An object is live when the last event at its address is its allocation. */
export const pairedStacks = defineQuery({
  name: 'peak-stacks',
  sql: `
SELECT stack_addresses, stack_symbols, live_bytes, objects, samples
FROM
(
    SELECT
        stack_hash,
        sum(bytes * ${objectsOfSample('bytes')}) AS live_bytes,
        sum(${objectsOfSample('bytes')}) AS objects,
        count() AS samples
    FROM
    (
        SELECT
            argMax(size, (timestamp_ns, size)) AS bytes,
            argMax(cityHash64(trace_log.trace), (timestamp_ns, size)) AS stack_hash,
            argMax(has({query_ids: Array(String)}, trace_log.query_id), (timestamp_ns, size)) AS is_own
        ${AT_OWN_POINTERS}
            AND timestamp_ns <= {peak_ns: UInt64}
        GROUP BY ptr
        HAVING bytes > 0 AND is_own
    )
    GROUP BY stack_hash
    ORDER BY live_bytes DESC, stack_hash
    LIMIT {limit: UInt32}
) AS live
INNER JOIN
(${STACKS_OF_QUERY}
) AS stacks USING (stack_hash)
ORDER BY live_bytes DESC, stack_hash`,
  params: StackParams,
  row: StackRow,
});

/** For samples without a pointer: who allocated up to the moment, whatever became of it. */
export const unpairedStacks = defineQuery({
  name: 'peak-stacks-unpaired',
  sql: `
SELECT
    trace_log.trace AS stack_addresses,
    any(symbols) AS stack_symbols,
    sum(size * ${objectsOfSample('size')}) AS live_bytes,
    sum(${objectsOfSample('size')}) AS objects,
    count() AS samples
FROM system.trace_log
WHERE ${WITHIN}
    AND toString(trace_type) = {trace_type: String}
    AND has({query_ids: Array(String)}, trace_log.query_id)
    AND size > 0
    AND timestamp_ns <= {peak_ns: UInt64}
GROUP BY stack_addresses
ORDER BY live_bytes DESC, stack_addresses
LIMIT {limit: UInt32}`,
  params: StackParams,
  row: StackRow,
});

/** Before 25.1 trace_log has no symbols. */
export const pairedStacksWithoutSymbols = defineQuery({
  ...pairedStacks,
  name: 'peak-stacks-unnamed',
  sql: pairedStacks.sql.replace('any(symbols) AS stack_symbols', '[] AS stack_symbols'),
});

export const unpairedStacksWithoutSymbols = defineQuery({
  ...unpairedStacks,
  name: 'peak-stacks-unpaired-unnamed',
  sql: unpairedStacks.sql.replace('any(symbols) AS stack_symbols', '[] AS stack_symbols'),
});
