import type { Bytes, Count } from '../units.ts';
import type { AllocatorStats, ArenaStats } from './stats.ts';

/** What follows from an arena's tables. */
export interface ArenaSums {
  /** Pages of all slabs. */
  readonly slabBytes: Bytes;
  readonly smallLiveBytes: Bytes;
  /** Held in slabs but not live; the part of fragmentation that size classes explain. */
  readonly slabWasteBytes: Bytes;
  readonly largeLiveBytes: Bytes;
  readonly largeExtentCount: Count;
  /** Large extents by whole classes; never less than `largeLiveBytes`. */
  readonly largeClassBytes: Bytes;
}

export function sumArena(arena: ArenaStats, pageBytes: Bytes): ArenaSums {
  const slabBytes = sum(arena.bins, (bin) => bin.slabCount * bin.slabPages * pageBytes);
  const smallLiveBytes = sum(arena.bins, (bin) => bin.liveRegions * bin.sizeBytes);
  return {
    slabBytes,
    smallLiveBytes,
    // Counters of one bin can come from two moments.
    slabWasteBytes: Math.max(0, slabBytes - smallLiveBytes),
    largeLiveBytes: arena.large.allocatedBytes,
    largeExtentCount: sum(arena.largeClasses, ({ extentCount }) => extentCount),
    largeClassBytes: sum(arena.largeClasses, ({ classBytes }) => classBytes),
  };
}

/**
 * What active memory should be by the tables. Exact in jemalloc 5.3.0; within half a per cent later, as sampled
 * objects lie outside of slabs. Each large extent has a page more where `cache_oblivious` is on.
 */
export function expectedActiveBytes(stats: AllocatorStats): Bytes {
  const sums = sumArena(stats.merged, stats.pageBytes);
  const pad = stats.options['config.cache_oblivious'] === 'true' ? stats.pageBytes : 0;
  return sums.slabBytes + sums.largeLiveBytes + sums.largeExtentCount * pad;
}

/** Unused pages that lie in memory: they decay by themselves or a purge returns them. */
export function dirtyBytes({ merged, pageBytes }: AllocatorStats): Bytes | undefined {
  return merged.dirty === undefined ? undefined : merged.dirty.pageCount * pageBytes;
}

function sum<Item>(items: readonly Item[], bytesOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + bytesOf(item), 0);
}
