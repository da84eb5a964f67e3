import { expect, it } from 'vitest';
import { startHealthServer } from '../src/health.ts';
import { silentLog } from './support/silent-log.ts';

it('says what works, and is unhealthy when one thing does not', async () => {
  let isConnected = true;
  await using server = await startHealthServer(
    0,
    { redis: () => true, slack: () => isConnected },
    silentLog,
  );
  const ask = async (path = '/healthz') => fetch(`http://127.0.0.1:${server.port}${path}`);
  const good = await ask();
  expect([good.status, await good.json()]).toEqual([
    200,
    { isHealthy: true, redis: true, slack: true },
  ]);
  isConnected = false;
  const bad = await ask();
  expect([bad.status, await bad.json()]).toEqual([
    503,
    { isHealthy: false, redis: true, slack: false },
  ]);
  expect((await ask('/')).status).toBe(404);
});
