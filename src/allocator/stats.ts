import type { Bytes, Count, Milliseconds, Nanoseconds, Share } from '../units.ts';

/**
 * What jemalloc's malloc_stats_print tells, as numbers. What not every age of jemalloc prints may be
 * undefined, which never means zero. Sources of the meanings: jemalloc, src/stats.c and doc/jemalloc.xml.in.
 */
export interface AllocatorStats {
  /** jemalloc's own, not the server's: "5.3-RC". */
  readonly version: string;
  /** What is in force, by jemalloc's names: "opt.lg_prof_sample", "arenas.dirty_decay_ms", "config.malloc_conf". */
  readonly options: Readonly<Record<string, string>>;
  readonly pageBytes: Bytes;
  readonly totals: AllocatorTotals;
  readonly backgroundThreads: Count | undefined;
  /** Of the process: "ctl", "prof" and others. */
  readonly mutexes: readonly MutexStats[];
  /** All arenas added up: jemalloc's own sum, or the only arena there is. */
  readonly merged: ArenaStats;
  /** Arenas that are gone. */
  readonly destroyed: ArenaStats | undefined;
  /** The arenas that exist; their indexes have gaps. */
  readonly arenas: readonly ArenaStats[];
  /** Lines inside a table that could not be split into its columns. */
  readonly unreadLines: Count;
}

/** jemalloc's totals in its own words: allocated ≤ active ≤ resident; retained is address space, not memory. */
export interface AllocatorTotals {
  readonly allocatedBytes: Bytes;
  readonly activeBytes: Bytes;
  readonly metadataBytes: Bytes;
  readonly residentBytes: Bytes;
  readonly mappedBytes: Bytes;
  readonly retainedBytes: Bytes | undefined;
  /** Transparent huge pages that metadata lies on. */
  readonly metadataHugePages: Count | undefined;
  readonly edataBytes: Bytes | undefined;
  readonly rtreeBytes: Bytes | undefined;
  /** Pages that cannot be purged. */
  readonly pinnedBytes: Bytes | undefined;
}

export interface ArenaStats {
  /** Undefined for sums over arenas. */
  readonly index: number | undefined;
  /** "auto_0", "manual_3"; undefined before jemalloc printed names. */
  readonly name: string | undefined;
  readonly threadCount: Count;
  readonly uptimeNs: Nanoseconds | undefined;
  readonly dirty: DecayStats | undefined;
  readonly muzzy: DecayStats | undefined;
  readonly small: AllocationStats;
  /** The real bytes of large allocations; `largeClasses` counts whole classes. */
  readonly large: AllocationStats;
  readonly activeBytes: Bytes;
  readonly residentBytes: Bytes | undefined;
  /** Further figures by jemalloc's names: "mapped", "base", "internal", "tcache_bytes" … all in bytes. */
  readonly memory: Readonly<Record<string, Bytes>>;
  readonly mutexes: readonly MutexStats[];
  readonly bins: readonly BinStats[];
  readonly largeClasses: readonly LargeClassStats[];
  readonly extents: readonly ExtentStats[];
}

/** Unused pages of one state: dirty ones lie in memory until they decay or are purged. */
export interface DecayStats {
  /** Undefined when decay is off. */
  readonly decayMs: Milliseconds | undefined;
  readonly pageCount: Count;
  /** Since the start. */
  readonly purgedPageCount: Count;
}

export interface AllocationStats {
  readonly allocatedBytes: Bytes;
  readonly mallocCount: Count;
  readonly freeCount: Count;
}

/** A slab bin: small allocations of one size class. */
export interface BinStats {
  readonly classIndex: number;
  readonly sizeBytes: Bytes;
  readonly mallocCount: Count;
  readonly freeCount: Count;
  readonly liveRegions: Count;
  readonly slabCount: Count;
  readonly nonfullSlabs: Count | undefined;
  readonly regionsPerSlab: Count;
  readonly slabPages: Count;
  /** Undefined when jemalloc saw its counters race. */
  readonly utilisation: Share | undefined;
}

export interface LargeClassStats {
  readonly classIndex: number;
  readonly sizeBytes: Bytes;
  readonly extentCount: Count;
  /**
   * Extents times class size. More than the truth where requests are rounded to pages instead of classes
   * (opt.disable_large_size_classes, jemalloc 5.3.1).
   */
  readonly classBytes: Bytes;
}

/** Unused extents of a size, by state. They have a numbering of their own. */
export interface ExtentStats {
  readonly sizeBytes: Bytes;
  readonly dirtyBytes: Bytes;
  readonly muzzyBytes: Bytes;
  readonly retainedBytes: Bytes;
}

export interface MutexStats {
  readonly name: string;
  readonly lockCount: Count;
  readonly totalWaitNs: Nanoseconds;
  readonly maxWaitNs: Nanoseconds;
}
