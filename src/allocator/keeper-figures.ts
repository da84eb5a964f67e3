import type { Bytes } from '../units.ts';
import type { Holder } from './memory-facts.ts';

/** What Keeper's words `mntr` and `lgif` and its metrics say that it holds in memory. */
const HOLDERS: readonly { readonly name: string; readonly keys: readonly string[] }[] = [
  { name: 'data tree', keys: ['zk_approximate_data_size', 'KeeperApproximateDataSize'] },
  { name: 'keys of the data tree', keys: ['zk_key_arena_size', 'KeeperKeyArenaSize'] },
  {
    name: 'cache of the latest log entries',
    keys: ['latest_logs_cache_size', 'KeeperLatestLogsCacheSize'],
  },
  {
    name: 'cache of log entries to commit',
    keys: ['commit_logs_cache_size', 'KeeperCommitLogsCacheSize'],
  },
];

/** Lines of a name, blanks and a whole number; other lines ("zk_version  v26.7") are passed over. */
export function parseKeeperWord(text: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const { 1: name, 2: value } of text.matchAll(/^(\w+)[ \t]+(\d+)\r?$/gm)) {
    values.set(name as string, Number(value));
  }
  return values;
}

/** The first source that knows a holder speaks for it; largest first. */
export function keeperHolders(
  sources: readonly { readonly source: string; readonly values: ReadonlyMap<string, Bytes> }[],
): readonly Holder[] {
  return HOLDERS.flatMap(({ name, keys }): readonly Holder[] => {
    for (const { source, values } of sources) {
      const key = keys.find((one) => values.has(one));
      const bytes = key === undefined ? undefined : values.get(key);
      if (bytes !== undefined && bytes > 0) {
        return [{ kind: 'keeper-data', name, bytes, source: `${source}: ${key}` }];
      }
    }
    return [];
  }).sort((a, b) => b.bytes - a.bytes);
}
