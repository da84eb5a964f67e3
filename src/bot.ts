import { jobs } from '../jobs/index.ts';
import { resumeOpening } from '../jobs/opening.ts';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { startHealthServer } from './health.ts';
import { createLog } from './log.ts';
import type { Log, Schedules } from './ports.ts';
import { readProcessConfig, requireSlack, secretsOf } from './process-config.ts';
import { createDeliveryRecord } from './queue/delivery-record.ts';
import { createInvestigations } from './queue/investigations.ts';
import { createLeases } from './queue/leases.ts';
import { createProducer } from './queue/producer.ts';
import { connectFailFast, disconnect, waitUntilReady } from './queue/redis.ts';
import { createSchedules } from './queue/schedules.ts';
import { runService, type Service } from './service.ts';
import { createSlackApp } from './slack/app.ts';
import { createChat } from './slack/chat.ts';
import { readIdentity } from './slack/identity.ts';
import { type Connection, createHttpConnection, createSocketConnection } from './slack/receiver.ts';
import { createSlackWeb } from './slack/web.ts';
import { createStore } from './store/create-store.ts';

/** Somebody waits for the answer. */
const REDIS_DEADLINE_MS = 1500;
const REDIS_START_MS = 2000;
const DRAIN_MS = 10_000;
/** An opening that nobody touched for this long belongs to a process that is no more. */
const STALE_AFTER_MS = 30_000;
const RESUME_EVERY_MS = 10_000;
const MEND_EVERY_MS = 60_000;

await runService(startBot);

/** Takes what people ask in Slack to the queue. Does no work of its own that would keep it from answering. */
async function startBot(): Promise<Service> {
  const config = readProcessConfig(process.env);
  const log = createLog({ name: 'bot', level: config.log.level, secrets: secretsOf(config) });
  const token = requireSlack(config, 'botToken');
  const { prefix } = config.redis;
  const redis = connectFailFast(config.redis.url, log);
  const { apiUrl } = config.slack;
  const web = createSlackWeb({ token, log, ...(apiUrl === undefined ? {} : { apiUrl }) });
  const [identity] = await Promise.all([readIdentity(web), waitUntilReady(redis, REDIS_START_MS)]);
  const store = { redis, prefix, deadlineMs: REDIS_DEADLINE_MS };
  const queue = createProducer({ ...store, log });
  const schedules = createSchedules({ ...store, log });
  const kept = createStore(config, { clock: systemClock, log });
  const leases = createLeases({ ...store, log });
  const ports = {
    chat: createChat(web, identity.workspaceUrl),
    queue,
    investigations: createInvestigations(store),
    deliveries: createDeliveryRecord(store),
    schedules,
    leases,
    store: kept,
    clock: systemClock,
    log,
  };
  const connection = createConnection(config, log);
  const app = createSlackApp({ config, token, identity, connection, web, jobs, ports });
  const port = await app.start();
  const resuming = resumeOpenings(
    () => resumeOpening(ports, systemClock.nowMicros() - STALE_AFTER_MS * 1000),
    log,
  );
  const mending = mendSchedules(schedules, log);
  const health =
    config.healthPort === undefined
      ? undefined
      : await startHealthServer(
          config.healthPort,
          { slack: connection.isConnected, redis: () => redis.status === 'ready' },
          log,
        );
  log.info(
    { mode: config.slack.mode, port, healthPort: health?.port, team: identity.teamId },
    'bot started',
  );
  return {
    async stop() {
      log.info({}, 'bot is stopping');
      await health?.[Symbol.asyncDispose]();
      await app.stop(DRAIN_MS);
      await resuming.stop();
      await mending.stop();
      await schedules[Symbol.asyncDispose]();
      await leases[Symbol.asyncDispose]();
      await kept[Symbol.asyncDispose]();
      await queue[Symbol.asyncDispose]();
      await disconnect(redis);
      log.info({}, 'bot stopped');
    },
  };
}

/** Finishes what bots that are no more left behind: now, and again and again. */
function resumeOpenings(resume: () => Promise<boolean>, log: Log) {
  let running = resumeAll();
  const timer = setInterval(() => {
    running = running.then(resumeAll);
  }, RESUME_EVERY_MS);

  async function resumeAll(): Promise<void> {
    try {
      while (await resume());
    } catch (thrown) {
      log.debug({ err: thrown }, 'openings not looked at');
    }
  }

  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** Brings the digests' schedules in line with what was set up: now, and again and again. */
function mendSchedules(schedules: Schedules, log: Log) {
  const mend = async () => {
    try {
      await schedules.mend();
    } catch (thrown) {
      log.debug({ err: thrown }, 'schedules not looked at');
    }
  };
  let running = mend();
  const timer = setInterval(() => {
    running = running.then(mend);
  }, MEND_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

function createConnection(config: Config, log: Log): Connection {
  const { mode, apiUrl, host, port } = config.slack;
  if (mode === 'http') {
    return createHttpConnection({
      signingSecret: requireSlack(config, 'signingSecret'),
      host,
      port,
      log,
    });
  }
  return createSocketConnection({
    appToken: requireSlack(config, 'appToken'),
    log,
    ...(apiUrl === undefined ? {} : { apiUrl }),
  });
}
