import { randomUUID } from 'node:crypto';
import { setPriority } from 'node:os';
import { createDigestRunner, isDigestJob } from '../jobs/digest/run.ts';
import { jobs } from '../jobs/index.ts';
import { createProcessor } from '../jobs/processor.ts';
import { createSamplingWatch } from '../jobs/sample/watch.ts';
import { createClickHouse } from './clickhouse/client.ts';
import { createQueryRunner } from './clickhouse/query-runner.ts';
import { pause, systemClock } from './clock.ts';
import { type Config, subsystemRulesOf, targetSummaries } from './config.ts';
import { createDumpFolder } from './dump-folder.ts';
import { startHealthServer } from './health.ts';
import { createKeeper } from './keeper/keeper.ts';
import { createLog } from './log.ts';
import { createMetricsEndpoint } from './metrics-endpoint.ts';
import type { Log, ProcessJob } from './ports.ts';
import { readProcessConfig, requireSlack, secretsOf } from './process-config.ts';
import { createConsumer } from './queue/consumer.ts';
import { createDeliveryRecord } from './queue/delivery-record.ts';
import { createEditBudget } from './queue/edit-budget.ts';
import { createInvestigations } from './queue/investigations.ts';
import { createLeases } from './queue/leases.ts';
import { connectPatient, disconnect } from './queue/redis.ts';
import { createSchedules } from './queue/schedules.ts';
import { createSampling } from './sampling.ts';
import { LeaseEnd } from './sampling-lease.ts';
import { type SamplingWatchdog, startSamplingWatchdog } from './sampling-watchdog.ts';
import { runService, type Service } from './service.ts';
import { createChat } from './slack/chat.ts';
import { readIdentity } from './slack/identity.ts';
import { createSlackWeb } from './slack/web.ts';
import { createStore } from './store/create-store.ts';
import { createStudio } from './studio/studio.ts';

/** A step that cannot be noted within this goes on, or waits for the next attempt. */
const REDIS_DEADLINE_MS = 5000;
const DRAIN_MS = 25_000;
/** Drawing may wait; the bot beside us answers Slack within its three seconds. */
const NICENESS = 5;

await runService(startWorker);

/** Takes requests from the queue and brings each thread to its answer. */
async function startWorker(): Promise<Service> {
  const config = readProcessConfig(process.env);
  const log = createLog({ name: 'worker', level: config.log.level, secrets: secretsOf(config) });
  const token = requireSlack(config, 'botToken');
  setPriority(NICENESS);
  const { apiUrl } = config.slack;
  const web = createSlackWeb({ token, log, ...(apiUrl === undefined ? {} : { apiUrl }) });
  const { workspaceUrl } = await readIdentity(web);
  const { prefix } = config.redis;
  const redis = connectPatient(config.redis.url, log);
  const store = { redis, prefix, deadlineMs: REDIS_DEADLINE_MS };
  const clickhouse = createClickHouse(config);
  const subsystemRules = subsystemRulesOf(config);
  const studio = createStudio({ threads: config.worker.drawingThreads, subsystemRules });
  const schedules = createSchedules({ ...store, log });
  const kept = createStore(config, { clock: systemClock, log });
  const leases = createLeases({ ...store, log });
  const sampling = createSampling(config, leases);
  const ports = {
    clickhouse,
    studio,
    subsystemRules,
    clock: systemClock,
    sources: { ...sourcesOf(config), sampling },
    chat: createChat(web, workspaceUrl),
    investigations: createInvestigations(store),
    deliveries: createDeliveryRecord(store),
    edits: createEditBudget(redis, prefix),
    store: kept,
    schedules,
    pause,
    log,
  };
  const watch = createSamplingWatch({ ...ports, sampling }, randomUUID());
  const watchdog = startSamplingWatchdog(watch, log);
  const consumer = createConsumer({
    redis,
    prefix,
    concurrency: config.worker.concurrency,
    stalledAfterMs: config.worker.stalledAfterMs,
    log,
    process: createDispatch(config, ports, watchdog),
  });
  const health = await startHealth(
    config,
    { worker: consumer.isRunning, redis: () => redis.status === 'ready' },
    log,
  );
  log.info({ healthPort: health?.port, concurrency: config.worker.concurrency }, 'worker started');
  return {
    async stop() {
      log.info({}, 'worker is stopping');
      await health?.[Symbol.asyncDispose]();
      await consumer.close(DRAIN_MS);
      await watchdog.stop();
      await leases[Symbol.asyncDispose]();
      await studio[Symbol.asyncDispose]();
      await clickhouse[Symbol.asyncDispose]();
      await schedules[Symbol.asyncDispose]();
      await kept[Symbol.asyncDispose]();
      await disconnect(redis);
      log.info({}, 'worker stopped');
    },
  };
}

/** What the queue brings: a lease that ends, a digest that is due, or a person's request. */
function createDispatch(
  config: Config,
  ports: Parameters<typeof createDigestRunner>[0]['ports'] &
    Parameters<typeof createProcessor>[0]['ports'],
  watchdog: SamplingWatchdog,
): ProcessJob {
  const { digests } = config;
  const { investigationTimeoutMs } = config.worker;
  const processRequest = createProcessor({ jobs, investigationTimeoutMs, ports });
  const runDigest = createDigestRunner({ ports, targets: targetSummaries(config), digests });
  return async (delivery, signal) => {
    if (LeaseEnd.safeParse(delivery.data).success) return watchdog.wake();
    return isDigestJob(delivery) ? runDigest(delivery, signal) : processRequest(delivery, signal);
  };
}

function sourcesOf(config: Config) {
  return {
    keeper: createKeeper(config),
    metrics: createMetricsEndpoint(config),
    dumps: createDumpFolder(config),
    runner: createQueryRunner(config),
  };
}

async function startHealth(
  { healthPort }: Config,
  parts: Parameters<typeof startHealthServer>[1],
  log: Log,
) {
  return healthPort === undefined ? undefined : startHealthServer(healthPort, parts, log);
}
