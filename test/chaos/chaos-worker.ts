import { createProcessor } from '../../jobs/processor.ts';
import { pause, systemClock } from '../../src/clock.ts';
import { type Consumer, createConsumer } from '../../src/queue/consumer.ts';
import { createDeliveryRecord } from '../../src/queue/delivery-record.ts';
import { createInvestigations } from '../../src/queue/investigations.ts';
import { connectPatient } from '../../src/queue/redis.ts';
import { createChat } from '../../src/slack/chat.ts';
import { readIdentity } from '../../src/slack/identity.ts';
import { createSlackWeb } from '../../src/slack/web.ts';
import { createFakeStudio } from '../fakes/fake-studio.ts';
import { samplePeak, sampleReply } from '../support/sample-job.ts';
import { silentLog } from '../support/silent-log.ts';
import { counted } from './counted.ts';

export interface ChaosWorkerSettings {
  readonly redisUrl: string;
  readonly prefix: string;
  readonly apiUrl: string;
  readonly token: string;
  readonly stalledAfterMs: number;
}

/**
 * A worker as `src/worker.ts` makes it, but for its one job, which answers by itself instead of asking a server.
 * `onEffect` hears of each step that took effect.
 */
export async function startChaosWorker(
  settings: ChaosWorkerSettings,
  onEffect: (call: string) => void,
): Promise<Consumer> {
  const redis = connectPatient(settings.redisUrl, silentLog);
  const { apiUrl, token, prefix } = settings;
  const web = createSlackWeb({ token, apiUrl, log: silentLog });
  const { workspaceUrl } = await readIdentity(web);
  const store = { redis, prefix, deadlineMs: 5000 };

  const peak = samplePeak(async (_args, context) => {
    context.progress('reading samples');
    await pause(20);
    return sampleReply(context);
  });

  const consumer = createConsumer({
    redis,
    prefix,
    concurrency: 1,
    stalledAfterMs: settings.stalledAfterMs,
    log: silentLog,
    process: createProcessor({
      jobs: [
        {
          ...peak,
          run: (args, context) => peak.run(args, context).finally(() => onEffect('job.run')),
        },
      ],
      investigationTimeoutMs: 20_000,
      ports: {
        clickhouse: {
          rows: () => Promise.reject(new Error('no server in this test')),
          statement: () => Promise.reject(new Error('no server in this test')),
          bytes: () => {
            throw new Error('no server in this test');
          },
        },
        clock: systemClock,
        edits: { take: async () => true },
        pause,
        log: silentLog,
        studio: counted('studio', createFakeStudio(), onEffect),
        chat: counted('chat', createChat(web, workspaceUrl), onEffect),
        deliveries: counted('deliveries', createDeliveryRecord(store), onEffect),
        investigations: counted('investigations', createInvestigations(store), onEffect),
      },
    }),
  });
  return {
    ...consumer,
    close: async (drainMs) => {
      await consumer.close(drainMs);
      redis.disconnect();
    },
  };
}
