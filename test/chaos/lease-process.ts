/**
 * A worker's part in leases: starts sampling or sees to its end, over real Redis, and may be told to die after so many
 * steps. The server and the chat lie in Redis too, since they must outlive the process. It prints each step that took
 * effect.
 */
import { Redis } from 'ioredis';
import type { JobContext } from '../../jobs/job.ts';
import { startSampling } from '../../jobs/sample/start.ts';
import { createSamplingWatch } from '../../jobs/sample/watch.ts';
import type { Chat, ClickHouse, Sampling } from '../../src/ports.ts';
import { createDeliveryRecord } from '../../src/queue/delivery-record.ts';
import { createLeases } from '../../src/queue/leases.ts';
import { createFakeAccess } from '../fakes/fake-access.ts';
import { createFakeChat } from '../fakes/fake-chat.ts';
import { jobContext } from '../support/job-context.ts';
import { silentLog } from '../support/silent-log.ts';
import { counted } from './counted.ts';

export interface LeaseSettings {
  readonly redisUrl: string;
  readonly prefix: string;
  readonly task: 'start' | 'sweep';
  readonly leaseId: string;
  /** How far the clock of this process is ahead. */
  readonly aheadMinutes: number;
  readonly dieAfterSteps?: number;
}

const settings = JSON.parse(process.argv[2] ?? '') as LeaseSettings;
const { prefix, task, leaseId, aheadMinutes, dieAfterSteps } = settings;
const redis = new Redis(settings.redisUrl);

let steps = 0;
function onEffect(call: string): void {
  steps += 1;
  // Synchronous, so that the line is out before the process is gone.
  process.stdout.write(`${call}\n`);
  if (steps === dieAfterSteps) process.kill(process.pid, 'SIGKILL');
}

/** The server: the settings profile lies in Redis. */
const SERVER = `${prefix}:server`;
const access = createFakeAccess();
async function loadServer(): Promise<void> {
  const json = await redis.get(SERVER);
  if (json !== null) access.assign(JSON.parse(json) as string[]);
}
const server: ClickHouse = {
  ...access,
  async rows(...args) {
    await loadServer();
    return access.rows(...args);
  },
  async statement(...args) {
    await loadServer();
    const text = await access.statement(...args);
    await redis.set(SERVER, JSON.stringify(access.grantees()));
    return text;
  },
};

/** The chat: keys of what was posted lie in Redis. */
const POSTS = `${prefix}:posts`;
const chat: Chat = {
  ...createFakeChat(),
  async post({ channel, deliveryKey }) {
    await redis.rpush(POSTS, deliveryKey);
    return { channel, ts: '1790000000.000200' };
  },
  async find({ channel }, deliveryKey) {
    const posts = await redis.lrange(POSTS, 0, -1);
    return posts.includes(deliveryKey) ? { channel, ts: '1790000000.000200' } : undefined;
  },
};

const clock = { nowMicros: () => (Date.now() + aheadMinutes * 60_000) * 1000 };
const store = { redis, prefix, deadlineMs: 5000 };
const leases = createLeases({ ...store, log: silentLog });
const sampling: Sampling = {
  leases: counted('leases', leases, onEffect),
  targets: ['prod'],
  policy: () => ({ grantees: ['etl'], maxMinutes: 30, profile: 'memprof_sampling' }),
};
const clickhouse = counted('server', server, onEffect);

if (task === 'start') {
  const given = jobContext();
  const context: JobContext = {
    ...given,
    investigationId: leaseId,
    askedBy: '<@U1>',
    place: { channel: 'C1', threadTs: '1790000000.000100' },
    ports: { ...given.ports, clock, clickhouse },
  };
  await startSampling({ target: 'prod', grantee: 'etl', minutes: 5 }, sampling, context);
} else {
  const watch = createSamplingWatch(
    {
      ...{ clickhouse, clock, sampling, log: silentLog },
      chat: counted('chat', chat, onEffect),
      deliveries: counted('deliveries', createDeliveryRecord(store), onEffect),
    },
    `w${process.pid}`,
  );
  await watch.sweep(new AbortController().signal);
}
process.stdout.write('done\n');
await leases[Symbol.asyncDispose]();
redis.disconnect();
