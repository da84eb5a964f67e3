import * as z from 'zod';
import type { SlabBin } from '../../src/allocator/waste.ts';
import { defineQuery } from '../../src/query.ts';
import { DecimalText, Float64, Int64 } from './columns.ts';

const BIN_COLUMNS = `
    arena,
    purpose,
    toUInt16(index) AS class_index,
    toUInt64(size) AS size_bytes,
    toInt64(nregs) AS regions_per_slab,
    toInt64(curslabs) AS slabs,
    toInt64(curregs) AS live_regions,
    toInt64(nonfull_slabs) AS nonfull`;

const binColumns = {
  arena: Int64,
  purpose: z.string(),
  class_index: Int64,
  size_bytes: Int64,
  regions_per_slab: Int64,
  slabs: Int64,
  live_regions: Int64,
  nonfull: Int64,
};

const BinRow = z.object(binColumns).transform(toSlabBin);

function toSlabBin(row: z.output<z.ZodObject<typeof binColumns>>): SlabBin {
  return {
    arena: row.arena,
    purpose: row.purpose,
    classIndex: row.class_index,
    sizeBytes: row.size_bytes,
    regionsPerSlab: row.regions_per_slab,
    slabCount: row.slabs,
    liveRegions: row.live_regions,
    nonfullSlabs: row.nonfull,
  };
}

/** Slab bins of every arena (ClickHouse 26.9, 26.7.7.80). */
export const arenaBins = defineQuery({
  name: 'frag-arena-bins',
  sql: `
SELECT${BIN_COLUMNS}
FROM system.jemalloc_arena_bins
WHERE large = 0`,
  params: z.object({}),
  row: BinRow,
});

const Params = z.object({
  /** Objects older than this hold slabs; the others only count towards the ages. */
  minAgeNs: z.number().nonnegative(),
  /** Where age buckets end: three of them. */
  ageBoundsNs: z.array(z.number()).length(3),
  /** Stacks listed per arena and class; the rest comes as one row without a stack. */
  stacksPerClass: z.number().int().positive(),
});

/** Sampled live objects of one arena, class and stack. */
export interface SampledObjects {
  readonly arena: number;
  readonly classIndex: number;
  /** True when they are older than the age asked for. */
  readonly isOld: boolean;
  /** Addresses, leaf first, decimal; empty for the rest of a class, and for objects that are not old. */
  readonly trace: readonly string[];
  /** Un-sampled, by the server's own weight. */
  readonly objectCount: number;
  readonly sampleCount: number;
  /** Un-sampled, by age: short, minutes, hours, days. */
  readonly ageCounts: readonly number[];
  readonly samplingIntervalBytes: number;
}

const Row = z
  .object({
    source: z.enum(['bins', 'objects']),
    ...binColumns,
    is_old: z.union([z.boolean(), z.number()]).transform(Boolean),
    stack: z.array(DecimalText),
    objects: Float64,
    samples: Int64,
    ages: z.array(Float64),
    interval_bytes: Int64,
  })
  .transform((row) =>
    row.source === 'bins'
      ? { kind: 'bin' as const, bin: toSlabBin(row) }
      : {
          kind: 'objects' as const,
          objects: {
            arena: row.arena,
            classIndex: row.class_index,
            isOld: row.is_old,
            trace: row.stack,
            objectCount: row.objects,
            sampleCount: row.samples,
            ageCounts: row.ages,
            samplingIntervalBytes: row.interval_bytes,
          } satisfies SampledObjects,
        },
  );

/**
 * Bins and sampled objects in one statement, each table read once: reading system.jemalloc_sampled_allocations
 * flushes a heap profile, and a second read would be of another moment. Joined outside, so that a class that only one
 * of the two knows is not lost. Classes above 51 are large at every page size and lie in no slab.
 */
export const binsAndSampledObjects = defineQuery({
  name: 'frag-arenas',
  sql: `
SELECT
    'bins' AS source,${BIN_COLUMNS},
    false AS is_old,
    CAST([], 'Array(UInt64)') AS stack,
    toFloat64(0) AS objects,
    toUInt64(0) AS samples,
    CAST([], 'Array(Float64)') AS ages,
    toUInt64(0) AS interval_bytes
FROM system.jemalloc_arena_bins
WHERE large = 0
UNION ALL
SELECT
    'objects' AS source,
    arena,
    '' AS purpose,
    class_index,
    toUInt64(0) AS size_bytes,
    toInt64(0) AS regions_per_slab,
    toInt64(0) AS slabs,
    toInt64(0) AS live_regions,
    toInt64(0) AS nonfull,
    is_old,
    if(place <= {stacksPerClass:UInt32}, by_stack, []) AS stack,
    sum(objects_of_stack) AS objects,
    sum(samples_of_stack) AS samples,
    sumForEach(ages_of_stack) AS ages,
    any(interval) AS interval_bytes
FROM
(
    SELECT
        arena,
        class_index,
        is_old,
        by_stack,
        objects_of_stack,
        samples_of_stack,
        ages_of_stack,
        interval,
        row_number() OVER (PARTITION BY arena, class_index, is_old ORDER BY objects_of_stack DESC, by_stack) AS place
    FROM
    (
        SELECT
            arena,
            toUInt16(size_class) AS class_index,
            age_ns > {minAgeNs:UInt64} AS is_old,
            if(is_old, trace, []) AS by_stack,
            sum(weight) AS objects_of_stack,
            count() AS samples_of_stack,
            [
                sumIf(weight, age_ns < {ageBoundsNs:Array(UInt64)}[1]),
                sumIf(weight, age_ns >= {ageBoundsNs:Array(UInt64)}[1] AND age_ns < {ageBoundsNs:Array(UInt64)}[2]),
                sumIf(weight, age_ns >= {ageBoundsNs:Array(UInt64)}[2] AND age_ns < {ageBoundsNs:Array(UInt64)}[3]),
                sumIf(weight, age_ns >= {ageBoundsNs:Array(UInt64)}[3])
            ] AS ages_of_stack,
            any(sample_interval) AS interval
        FROM system.jemalloc_sampled_allocations
        WHERE size_class <= 51
        GROUP BY arena, class_index, is_old, by_stack
    )
)
GROUP BY arena, class_index, is_old, stack`,
  params: Params,
  row: Row,
});
