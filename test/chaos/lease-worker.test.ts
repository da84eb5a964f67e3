import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOwnProcess } from '../../src/local/own-process.ts';
import { startWorkspace, type Workspace } from '../../src/local/slack/workspace.ts';
import { createLeases } from '../../src/queue/leases.ts';
import { createFakeAccess, type FakeAccess } from '../fakes/fake-access.ts';
import { freshPrefix, startTestRedis, type TestRedis } from '../support/redis.ts';
import { silentLog } from '../support/silent-log.ts';

let redis: TestRedis;
let workspace: Workspace;
let folder: string;
let server: Server;
let access: FakeAccess;

/** Speaks as much of ClickHouse's HTTP interface as sampling needs. */
function startAccessServer(): Promise<Server> {
  const answering = createServer((request, response) => {
    void (async () => {
      const sql = await text(request);
      if (/system\.settings_profiles/.test(sql)) {
        const grantees = access.grantees();
        const row = { apply_to_all: 0, apply_to_list: grantees };
        response.end(grantees === undefined ? '' : `${JSON.stringify(row)}\n`);
      } else {
        response.end(await access.statement('prod', sql, { signal: AbortSignal.timeout(1000) }));
      }
    })();
  });
  return new Promise((resolve) => {
    answering.listen(0, '127.0.0.1', () => resolve(answering));
  });
}

beforeAll(async () => {
  redis = await startTestRedis();
  workspace = await startWorkspace({});
  folder = await mkdtemp(join(tmpdir(), 'memprof-test-leases-'));
  access = createFakeAccess();
  server = await startAccessServer();
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await workspace.close();
  await redis[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** The worker as it is deployed. */
async function startWorker(prefix: string) {
  const { port } = server.address() as AddressInfo;
  const file = join(folder, 'memprof.yaml');
  const config = {
    slack: { apiUrl: workspace.apiUrl, botToken: workspace.botToken },
    redis: { url: redis.url, prefix },
    store: { kind: 'redis', url: redis.url, prefix: prefix.replace('}', '-store}') },
    targets: { prod: { url: `http://127.0.0.1:${port}`, sampling: { grantees: ['etl'] } } },
  };
  await writeFile(file, JSON.stringify(config));
  return startOwnProcess({
    name: 'worker',
    entry: 'src/worker.js',
    logFile: join(folder, 'worker.log'),
    env: { MEMPROF_CONFIG: file },
  });
}

describe('a worker as it is deployed', () => {
  it('ends at its start what nobody has a lease for', async () => {
    access.assign(['etl']);
    const worker = await startWorker(freshPrefix());
    await expect.poll(() => access.grantees(), { timeout: 20_000 }).toEqual([]);
    await worker.stop();
  });

  it('ends a lease when its time is over, and says so in its thread', async () => {
    const prefix = freshPrefix();
    const channel = workspace.channels.dbOncall;
    const { ts } = workspace.say({ user: workspace.users.dana, channel, text: 'sampling, please' });
    const leases = createLeases({ redis: redis.client, prefix, deadlineMs: 5000, log: silentLog });
    const nowMicros = Date.now() * 1000;
    await leases.put({
      ...{ id: 'aaaa1111', target: 'prod', profile: 'memprof_sampling', grantee: 'etl' },
      ...{ startedBy: `<@${workspace.users.dana}>`, startedAtMicros: nowMicros },
      endsAtMicros: nowMicros + 5_000_000,
      isConfirmed: true,
      place: { channel, threadTs: ts },
    });
    access.assign(['etl']);
    const worker = await startWorker(prefix);
    await expect
      .poll(() => workspace.thread(channel, ts).at(-1)?.text, { timeout: 40_000 })
      .toMatch(/Sampling of etl is off on prod \(checked .* UTC\); it was on for 5.0 s/);
    expect(access.grantees()).toEqual([]);
    await expect.poll(() => leases.list(), { timeout: 5000 }).toEqual([]);
    await worker.stop();
    await leases[Symbol.asyncDispose]();
  });
});
