import type { Config } from '../config.ts';
import type { Clock, Log, Store } from '../ports.ts';
import type { Milliseconds } from '../units.ts';
import { createClickHouseStore } from './in-clickhouse/store.ts';
import { createRedisStore } from './in-redis/store.ts';

const DEADLINE_MS: Milliseconds = 10_000;

/** The store that the config names; the caller closes it. Connects when it is first used. */
export function createStore(
  { store, redis }: Pick<Config, 'store' | 'redis'>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Store & AsyncDisposable {
  const { profileDays } = store;
  switch (store.kind) {
    case 'redis':
      return createRedisStore({
        url: store.url ?? redis.url,
        prefix: store.prefix,
        budgetBytes: store.budgetMiB * 2 ** 20,
        profileDays,
        deadlineMs: DEADLINE_MS,
        clock,
        log,
      });
    case 'clickhouse':
      return createClickHouseStore({
        url: store.url,
        user: store.user,
        password: store.password,
        database: store.database,
        profileDays,
        deadlineMs: DEADLINE_MS,
        clock,
      });
  }
}
