import type { Figures, Holder } from '../../src/allocator/memory-facts.ts';
import type { Metrics } from '../../src/allocator/memory-figures.ts';
import {
  type HolderRow,
  statsDictionaries,
  statsMerges,
  statsQueries,
  statsTables,
} from '../../templates/sql/stats-holders.ts';
import { statsGranularity, statsParts } from '../../templates/sql/stats-parts.ts';
import type { Ask } from '../ask.ts';

/** Who on a ClickHouse server says how much he holds, caches apart. */
export async function holdersOfClickHouse(
  ask: Ask,
  figures: Figures,
  metrics: Metrics,
): Promise<readonly Holder[]> {
  const queries = (await ask('running queries', statsQueries, {}))?.[0];
  const merges = (await ask('running merges', statsMerges, {}))?.[0];
  const dictionaries = (await ask('dictionaries', statsDictionaries, {}))?.[0];
  const tables = (await ask('tables in memory', statsTables, {}))?.[0];
  return [
    ...holder(queries, { kind: 'query', name: 'running queries', source: 'processes' }),
    ...holder(merges, { kind: 'merge', name: 'running merges', source: 'merges' }),
    ...holder(dictionaries, { kind: 'dictionary', name: 'dictionaries', source: 'dictionaries' }),
    ...holder(tables, { kind: 'table', name: 'tables in memory', source: 'tables' }),
    ...insertQueue(metrics),
    ...(await partMetadata(ask, figures)),
  ];
}

function holder(
  row: HolderRow | undefined,
  { kind, name, source }: Pick<Holder, 'kind' | 'name' | 'source'>,
): readonly Holder[] {
  if (row === undefined || row.bytes <= 0) return [];
  return [{ kind, name, source, bytes: row.bytes, count: row.count, largest: row.largest }];
}

function insertQueue(metrics: Metrics): readonly Holder[] {
  const name = 'AsynchronousInsertQueueBytes';
  const bytes = metrics.get(name) ?? 0;
  if (bytes <= 0) return [];
  return [
    { kind: 'buffer', name: 'queue of asynchronous inserts', bytes, source: `metrics: ${name}` },
  ];
}

/** Where part metadata has an arena of its own, that holds keys and granules too: they are not added to it. */
async function partMetadata(ask: Ask, figures: Figures): Promise<readonly Holder[]> {
  const parts = (await ask('primary keys', statsParts, {}))?.[0];
  const arena = figures.mergeTreeArena;
  const kind = 'part-metadata';
  if (arena !== undefined) {
    const count = parts === undefined ? {} : { count: parts.partCount };
    return [{ kind, name: 'parts (metadata and keys)', ...arena, ...count }];
  }
  const granularity = (await ask('positions of granules', statsGranularity, {}))?.[0];
  const named = (name: string, bytes = 0): readonly Holder[] =>
    bytes > 0 ? [{ kind, name, bytes, source: 'parts' }] : [];
  return [
    ...named('primary keys of parts', parts?.keyBytes),
    ...named('positions of granules of parts', granularity?.granularityBytes),
  ];
}
