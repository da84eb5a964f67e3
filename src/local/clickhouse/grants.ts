/**
 * What memprof needs on a server, and no more: the README asks a real admin for exactly this, and the engine's
 * user `memprof` has exactly this. All of it reads, but for the two SYSTEM statements, which may be left out.
 */
export interface NeededGrant {
  /** The words after GRANT and before TO. */
  readonly grant: string;
  readonly why: string;
  /** Without it memprof works, with less. */
  readonly isOptional?: true;
}

const tables: readonly (readonly [table: string, why: string])[] = [
  ['query_log', 'find a query: who, when, how long, the peak that the server counted'],
  ['processes', 'find a query that still runs; stop a read of our own'],
  ['trace_log', 'the samples of a query'],
  ['jemalloc_profile_text', 'the live heap'],
  ['jemalloc_stats', "the allocator's own account, and the sampling interval"],
  ['jemalloc_bins', 'waste by size class'],
  ['jemalloc_arena_bins', 'waste by arena and size class'],
  ['jemalloc_sampled_allocations', 'who holds old objects'],
  ['asynchronous_metrics', 'resident memory and the allocator now'],
  ['asynchronous_metric_log', 'the same over the last hours'],
  ['metrics', 'what the memory tracker counts now'],
  ['metric_log', 'the same over the last hours'],
  ['events', 'samples that the server had to drop'],
  ['merges', 'memory of running merges'],
  ['parts', 'primary keys and part metadata in memory'],
  ['dictionaries', 'memory of dictionaries'],
  ['server_settings', 'whether the profiler is on'],
];

export const neededGrants: readonly NeededGrant[] = [
  ...tables.map(([table, why]) => ({ grant: `SELECT ON system.${table}`, why })),
  {
    grant: 'addressToSymbol, addressToLine, demangle ON *.*',
    why: 'names for samples that came without',
    isOptional: true,
  },
  {
    grant: 'SHOW TABLES, SHOW DICTIONARIES ON *.*',
    why: 'count the memory of all parts, merges and dictionaries, whose data it still cannot read',
    isOptional: true,
  },
  {
    grant: 'SYSTEM FLUSH LOGS ON *.*',
    why: 'see a query at once instead of some seconds later',
    isOptional: true,
  },
  {
    grant: 'SYSTEM JEMALLOC ON *.*',
    why: 'write a heap dump on the server (`flush`)',
    isOptional: true,
  },
];
