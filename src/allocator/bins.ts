import type { Bytes, Count } from '../units.ts';
import { type SlabBin, wasteOf } from './waste.ts';

/**
 * A row of system.jemalloc_bins, summed over all arenas. The counters of slabs came with 26.2 and its back-ports,
 * size and free slabs with 26.9; undefined where the server is older.
 */
export interface SizeClassCounters {
  /** jemalloc's number of the class; the same in its statistics text. */
  readonly classIndex: number;
  /** True when each object has an extent of its own; false for slabs. */
  readonly isLarge: boolean;
  readonly sizeBytes: Bytes;
  /** Since the start. */
  readonly mallocCount: Count;
  readonly freeCount: Count;
  readonly regionsPerSlab?: Count | undefined;
  readonly slabCount?: Count | undefined;
  readonly liveRegions?: Count | undefined;
  readonly nonfullSlabs?: Count | undefined;
}

/** What is live in a class. Objects in thread caches count as live. */
export interface SizeClassUse extends SizeClassCounters {
  /** In slabs where the server counts them, else allocations less frees. */
  readonly liveCount: Count;
  /** Class size times objects. */
  readonly liveBytes: Bytes;
  /**
   * True for large classes where requests are rounded to a page instead of a class
   * (opt.disable_large_size_classes, on by default since jemalloc 5.3.1) or where nobody knows.
   */
  readonly isUpperBound: boolean;
}

export interface SizeClasses {
  /** Most live bytes first. */
  readonly classes: readonly SizeClassUse[];
  readonly smallLiveBytes: Bytes;
  readonly largeLiveBytes: Bytes;
  readonly isLargeUpperBound: boolean;
  /** Held in slabs but not live; undefined before the server counted slabs. */
  readonly slabWasteBytes?: Bytes;
}

/** `roundsToPages`: the value of opt.disable_large_size_classes; unknown where the option cannot be read. */
export function toSizeClasses(
  rows: readonly SizeClassCounters[],
  roundsToPages: boolean | undefined,
): SizeClasses {
  const classes = rows
    .map((row): SizeClassUse => {
      // Two counters of a running server: the frees may have been read later. Sampled objects count here but lie
      // outside of slabs.
      const unfreed = Math.max(0, row.mallocCount - row.freeCount);
      const liveCount = row.isLarge ? unfreed : (row.liveRegions ?? unfreed);
      const isUpperBound = row.isLarge && roundsToPages !== false;
      return { ...row, liveCount, liveBytes: liveCount * row.sizeBytes, isUpperBound };
    })
    .sort((a, b) => b.liveBytes - a.liveBytes || a.classIndex - b.classIndex);
  const large = classes.filter(({ isLarge }) => isLarge);
  const slabs = toSlabBins(rows);
  return {
    classes,
    smallLiveBytes: sumLive(classes.filter(({ isLarge }) => !isLarge)),
    largeLiveBytes: sumLive(large),
    isLargeUpperBound: large.some(({ isUpperBound, liveCount }) => isUpperBound && liveCount > 0),
    ...(slabs.length === 0 ? {} : { slabWasteBytes: wasteOf(slabs).totalWasteBytes }),
  };
}

/** The rows that count slabs, as bins; none for a server that does not count them. */
export function toSlabBins(rows: readonly SizeClassCounters[]): readonly SlabBin[] {
  return rows.flatMap((row): readonly SlabBin[] => {
    const { regionsPerSlab, slabCount, liveRegions, nonfullSlabs } = row;
    if (row.isLarge || regionsPerSlab === undefined) return [];
    if (slabCount === undefined || liveRegions === undefined) return [];
    return [
      {
        purpose: '',
        classIndex: row.classIndex,
        sizeBytes: row.sizeBytes,
        ...{ regionsPerSlab, slabCount, liveRegions },
        ...(nonfullSlabs === undefined ? {} : { nonfullSlabs }),
      },
    ];
  });
}

/** Pages in which the smallest large class begins (jemalloc, src/sc.c: small classes end below four pages). */
const SMALLEST_LARGE_PAGES = 4;

/**
 * The page size of the allocator, which page counts have to be multiplied by: 4 KiB on x86, often 64 KiB on ARM and
 * Power. Undefined when the rows do not tell.
 */
export function pageBytesOf(rows: readonly SizeClassCounters[]): Bytes | undefined {
  const smallest = rows.find(({ sizeBytes }) => sizeBytes === 8);
  // A slab of the smallest class is one page.
  if (smallest?.regionsPerSlab) return smallest.regionsPerSlab * smallest.sizeBytes;
  const large = rows.filter(({ isLarge }) => isLarge).map(({ sizeBytes }) => sizeBytes);
  const hasAll = large.length > 0 && rows.some(({ classIndex }) => classIndex === 0);
  return hasAll ? Math.min(...large) / SMALLEST_LARGE_PAGES : undefined;
}

function sumLive(classes: readonly SizeClassUse[]): Bytes {
  return classes.reduce((sum, { liveBytes }) => sum + liveBytes, 0);
}
