import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { Engine } from '../../src/local/clickhouse/engine.ts';
import { createClickHouseStore } from '../../src/store/in-clickhouse/store.ts';
import { createRedisStore } from '../../src/store/in-redis/store.ts';
import { createFakeStore } from '../fakes/fake-store.ts';
import { startTestEngine } from '../support/engine.ts';
import { freshPrefix, startTestRedis, type TestRedis } from '../support/redis.ts';
import { silentLog } from '../support/silent-log.ts';
import { storeContract } from './store.ts';

let redis: TestRedis;
let engine: Engine;
beforeAll(async () => {
  [redis, engine] = await Promise.all([startTestRedis(), startTestEngine()]);
});
afterAll(() => Promise.all([redis?.[Symbol.asyncDispose](), engine?.[Symbol.asyncDispose]()]));

storeContract('in memory', async (clock, profileDays) => createFakeStore(clock, profileDays));

storeContract('in Redis', async (clock, profileDays) =>
  createRedisStore({
    url: redis.url,
    prefix: freshPrefix(),
    budgetBytes: 2 ** 20,
    profileDays,
    deadlineMs: 5000,
    clock,
    log: silentLog,
  }),
);

storeContract('in ClickHouse', async (clock, profileDays) =>
  createClickHouseStore({
    url: engine.url,
    ...engine.users.admin,
    database: `memprof_${randomBytes(6).toString('hex')}`,
    profileDays,
    deadlineMs: 20_000,
    clock,
  }),
);
