import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { createClickHouseStore } from '../../src/store/in-clickhouse/store.ts';
import { createRedisStore } from '../../src/store/in-redis/store.ts';
import { createFakeStore } from '../fakes/fake-store.ts';
import { freshPrefix, startTestRedis, type TestRedis } from '../support/redis.ts';
import { silentLog } from '../support/silent-log.ts';
import { storeContract } from './store.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

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

if (process.env.TMP_CH) {
  storeContract('in ClickHouse', async (clock, profileDays) =>
    createClickHouseStore({
      url: process.env.TMP_CH!,
      user: 'default',
      password: '',
      database: `memprof_test_${randomBytes(6).toString('hex')}`,
      profileDays,
      deadlineMs: 20_000,
      clock,
    }),
  );
}
