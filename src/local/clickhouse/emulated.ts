/** One line of the table that says what of the embedded engine is the genuine server and what is ours. */
export interface EngineTruth {
  readonly what: string;
  readonly truth: 'real' | 'emulated' | 'recovered';
  readonly how: string;
}

/** Shown in the README, on the demo's page and by `npm run engine -- --help`. */
export const engineTruths: readonly EngineTruth[] = [
  {
    what: 'HTTP interface, users, grants, quotas, limits, settings, errors, KILL QUERY',
    truth: 'real',
    how: 'ClickHouse 26.7.2.1 out of libchdb, run as clickhouse-local that listens',
  },
  {
    what: 'query_log, processes, parts, the schema of trace_log',
    truth: 'real',
    how: "the engine's own tables",
  },
  {
    what: 'jemalloc_stats, jemalloc_bins, heap dumps',
    truth: 'real',
    how: "the engine's own allocator",
  },
  {
    what: 'JemallocSample rows of trace_log',
    truth: 'emulated',
    how: 'differences of real heap dumps taken every few milliseconds while the query runs: stacks and sizes are real, addresses of objects are made up, time is the time of the dump',
  },
  {
    what: 'SYSTEM JEMALLOC FLUSH PROFILE',
    truth: 'emulated',
    how: 'the dump is real, the answer with its path is ours',
  },
  { what: 'jemalloc_profile_text', truth: 'emulated', how: 'a view over a real dump' },
  { what: 'jemalloc_arena_bins', truth: 'emulated', how: 'a view over jemalloc_stats' },
  {
    what: 'jemalloc_sampled_allocations',
    truth: 'emulated',
    how: 'live objects of the dumps: size is the mean of the stack, age since a dump first showed it; arena 0, the only one that threads share in this engine',
  },
  { what: 'asynchronous_metrics', truth: 'emulated', how: 'a view over jemalloc_stats and /proc' },
  {
    what: 'Function names',
    truth: 'recovered',
    how: 'the library is stripped; names come from its type information and from strings its functions use, where there are any',
  },
];

/** The same as rows of text, with a head. */
export function emulatedTable(): readonly (readonly string[])[] {
  return [['what', 'is', 'how'], ...engineTruths.map(({ what, truth, how }) => [what, truth, how])];
}
