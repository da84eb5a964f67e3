import * as z from 'zod';
import type { SizeClassCounters } from '../../src/allocator/bins.ts';
import { defineQuery } from '../../src/query.ts';
import { Int64 } from './columns.ts';

/** `SELECT *` on purpose: the columns differ by age, and computed ones (util, waste) do not come with it. */
const Row = z
  .object({
    index: z.number(),
    large: z.number(),
    size: Int64,
    allocations: Int64,
    deallocations: Int64,
    nregs: Int64.optional(),
    curslabs: Int64.optional(),
    curregs: Int64.optional(),
    nonfull_slabs: Int64.optional(),
  })
  .transform(
    (row): SizeClassCounters => ({
      classIndex: row.index,
      isLarge: row.large === 1,
      sizeBytes: row.size,
      mallocCount: row.allocations,
      freeCount: row.deallocations,
      regionsPerSlab: row.nregs,
      slabCount: row.curslabs,
      liveRegions: row.curregs,
      nonfullSlabs: row.nonfull_slabs,
    }),
  );

/**
 * Counters of every size class, all arenas added up; of classes of 4 PiB and more nothing can be allocated, and their
 * sizes fit no double. Stale by up to a second, or since the last read of the statistics.
 */
export const statsBins = defineQuery({
  name: 'stats-bins',
  sql: 'SELECT * FROM system.jemalloc_bins WHERE size < 4503599627370496 ORDER BY index',
  params: z.object({}),
  row: Row,
});
