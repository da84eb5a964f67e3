import type { MutexStats } from './stats.ts';
import { readHeader, readRow, type StatsTable } from './stats-table.ts';

/** Width of the left-justified name column (jemalloc, src/stats.c: mutex_stats_init_cols). */
const NAME_WIDTH = 21;

/** A table of mutexes: a header without a title, then one row a mutex. */
export function createMutexReader() {
  const mutexes: MutexStats[] = [];
  let table: StatsTable | undefined;
  return {
    all: (): readonly MutexStats[] => mutexes,
    /** False when the line belongs to no such table. */
    read(line: string): boolean {
      if (/^ +n_lock_ops\b/.test(line)) {
        table = readHeader(line);
        return true;
      }
      const name = /^[a-z_]+(?= )/.exec(line)?.[0];
      const row = table && name && readRow(table, line, line.slice(0, NAME_WIDTH));
      if (!row) {
        table = undefined;
        return false;
      }
      mutexes.push({
        name,
        lockCount: Number(row.get('n_lock_ops')),
        totalWaitNs: Number(row.get('total_wait_ns')),
        maxWaitNs: Number(row.get('max_wait_ns')),
      });
      return true;
    },
  };
}
