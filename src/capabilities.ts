import type { Bytes } from './units.ts';

/** Tables that memprof reads; a server may lack any of them. */
const wantedTables = [
  'asynchronous_metric_log',
  'asynchronous_metrics',
  'dictionaries',
  'events',
  'jemalloc_arena_bins',
  'jemalloc_bins',
  'jemalloc_profile_text',
  'jemalloc_sampled_allocations',
  'jemalloc_stats',
  'merges',
  'metric_log',
  'metrics',
  'parts',
  'processes',
  'query_log',
  'server_settings',
  'trace_log',
] as const;

export type WantedTable = (typeof wantedTables)[number];

/**
 * What a server has and what its user may do, as it says itself. Never told from its version: back-ports make that
 * wrong (the tables of 26.9 are in 26.7.7.80, but not in 26.7.2.1).
 */
export interface Capabilities {
  /** For people. Empty where it was not told. */
  readonly version: string;
  /** The columns of the system tables that the user can see. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  /** Types of trace_log's samples: "JemallocSample". */
  readonly traceTypes: ReadonlySet<string>;
  /** Query settings that matter here, by name. */
  readonly settings: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
  /** As SHOW GRANTS prints them; undefined where the server knows no such statement. */
  readonly grants: readonly string[] | undefined;
  /** Whether all threads are sampled, not only those of queries that ask for it. */
  readonly isProfiledGlobally: boolean | undefined;
  /** Mean bytes between two samples; undefined where nothing tells, and then 2^19 by default. */
  readonly samplingIntervalBytes: Bytes | undefined;
  /** True when the interval was measured; else it is what the config asks for, which need not be in force. */
  readonly isIntervalInForce: boolean;
}

/**
 * `there`: it can be read. `absent`: the server has none. `unseen`: the user has no right to it, so that nobody can
 * tell whether it is there.
 */
export type TableState = 'there' | 'absent' | 'unseen';

export function tableState(capabilities: Capabilities, table: WantedTable): TableState {
  if (capabilities.columns.has(table)) return 'there';
  // Before grants could be asked for, everybody saw everything.
  if (capabilities.grants === undefined) return 'absent';
  return mayRead(capabilities.grants, table) ? 'absent' : 'unseen';
}

export function hasColumn({ columns }: Capabilities, table: WantedTable, column: string): boolean {
  return columns.get(table)?.has(column) ?? false;
}

/** Whether a privilege of the whole server is granted: "SYSTEM JEMALLOC". Unknown where grants cannot be asked for. */
export function hasPrivilege({ grants }: Capabilities, privilege: string): boolean | undefined {
  return grants?.some((grant) => {
    const scope = /^GRANT (.+) ON \*\.\*/i.exec(grant);
    if (scope === null) return false;
    const granted = (scope[1] as string).split(', ').map((name) => name.toUpperCase());
    const words = privilege.toUpperCase().split(' ');
    // SYSTEM holds SYSTEM JEMALLOC, and ALL holds everything.
    return granted.some(
      (name) =>
        name === 'ALL' || words.some((_, end) => name === words.slice(0, end + 1).join(' ')),
    );
  });
}

function mayRead(grants: readonly string[], table: string): boolean {
  return grants.some((grant) =>
    new RegExp(
      `^GRANT (?:.*\\b)?(?:SELECT|ALL)\\b.* ON (?:\\*|\\*\\.\\*|system\\.\\*|system\\.${table})(?: |$)`,
      'i',
    ).test(grant),
  );
}
