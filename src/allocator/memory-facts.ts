import type { Bytes, Count } from '../units.ts';
import type { Growth } from './growth.ts';
import type { AllocatorStats } from './stats.ts';

/** One counter, and where it was read: counters of different sources are of different moments. */
export interface Figure {
  readonly bytes: Bytes;
  /** "asynchronous_metrics: MemoryResident". */
  readonly source: string;
}

/** In the words of the operating system, of jemalloc and of ClickHouse. */
export type FigureName =
  | 'hostTotal'
  | 'cgroupLimit'
  | 'cgroupUsed'
  /** MemoryResident: what the kernel counts for the process. */
  | 'rss'
  | 'rssWithoutPageCache'
  /** Resident pages of files: the program itself, and files that are mapped. */
  | 'shared'
  | 'resident'
  | 'active'
  | 'allocated'
  | 'metadata'
  | 'mapped'
  | 'retained'
  | 'dirty'
  | 'slabWaste'
  /** Free objects in the caches of threads; jemalloc counts them as allocated. */
  | 'threadCaches'
  /** The arena of part metadata. */
  | 'mergeTreeArena'
  /** MemoryTracking: the server's own sum. */
  | 'tracked'
  /** max_server_memory_usage, as it works now. */
  | 'serverLimit';

/** What was not read is absent, never 0. */
export type Figures = Readonly<Partial<Record<FigureName, Figure>>>;

/** Groups that a rule speaks of. */
export type HolderKind =
  | 'cache'
  | 'part-metadata'
  | 'dictionary'
  | 'table'
  | 'merge'
  | 'query'
  | 'buffer'
  | 'keeper-data';

/** A part of the server that says how much it holds. */
export interface Holder extends Figure {
  readonly kind: HolderKind;
  /** "mark cache", "running queries". */
  readonly name: string;
  /** How many parts, dictionaries, queries … */
  readonly count?: Count;
  /** The largest single one, where the source tells. */
  readonly largest?: { readonly name: string; readonly bytes: Bytes };
}

/** All that was read of a server's memory at about one moment. */
export interface MemoryFacts {
  readonly server: 'clickhouse' | 'keeper';
  readonly figures: Figures;
  readonly holders: readonly Holder[];
  /** Of the allocator; undefined when it could not be told. */
  readonly pageBytes: Bytes | undefined;
  readonly stats: AllocatorStats | undefined;
  /** Of allocated bytes over the last hours. */
  readonly growth: Growth | undefined;
}
