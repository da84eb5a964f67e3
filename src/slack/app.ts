import { App } from '@slack/bolt';
import type { Job } from '../../jobs/job.ts';
import type { Config } from '../config.ts';
import type {
  Chat,
  Clock,
  DeliveryRecord,
  Investigations,
  JobQueue,
  Leases,
  Log,
  Schedules,
  Store,
} from '../ports.ts';
import type { Milliseconds } from '../units.ts';
import { createBoltLogger } from './bolt-logger.ts';
import { createDoor } from './door.ts';
import { createFormDesk } from './form-desk.ts';
import { createFrontDesk } from './front-desk.ts';
import type { SlackIdentity } from './identity.ts';
import { createInFlight } from './in-flight.ts';
import { registerListeners } from './listeners.ts';
import { createPinnedFetch } from './pinned-fetch.ts';
import type { Connection } from './receiver.ts';
import { createUserGroups } from './user-groups.ts';
import { SLACK_API_URL, type SlackWeb } from './web.ts';

export interface SlackAppOptions {
  readonly config: Config;
  readonly token: string;
  readonly identity: SlackIdentity;
  readonly connection: Connection;
  readonly web: SlackWeb;
  readonly jobs: readonly Job[];
  readonly ports: {
    readonly chat: Chat;
    readonly queue: JobQueue;
    readonly investigations: Investigations;
    readonly deliveries: DeliveryRecord;
    readonly schedules: Schedules;
    readonly store: Store;
    readonly leases?: Leases;
    readonly clock: Clock;
    readonly log: Log;
  };
}

export interface SlackApp {
  /** Resolves to the port in HTTP mode. */
  start(): Promise<number | undefined>;
  /** Takes nothing more, and lets what is under way finish for a while. */
  stop(timeoutMs: Milliseconds): Promise<void>;
}

/** The Bolt app: what people send in, sorted and handed to the desks. */
export function createSlackApp(options: SlackAppOptions): SlackApp {
  const { config, connection, identity, jobs, ports, web } = options;
  const { chat, clock, log } = ports;
  const inFlight = createInFlight(log);
  const slackApiUrl = config.slack.apiUrl ?? SLACK_API_URL;
  const app = new App({
    receiver: connection.receiver,
    // From memory: Bolt acknowledges events only after it has been told who it is.
    authorize: async () => ({
      botToken: options.token,
      botId: identity.botId,
      botUserId: identity.botUserId,
    }),
    // For `respond`; all other calls go through `web`. Bolt and socket mode write into what they are given.
    clientOptions: {
      slackApiUrl,
      fetch: createPinnedFetch(slackApiUrl),
      retryConfig: { retries: 1 },
    },
    convoStore: false,
    logger: createBoltLogger(log),
  });
  app.error(async (error) => log.error({ err: error }, 'bolt listener failed'));
  registerListeners(app, {
    botUserId: identity.botUserId,
    frontDesk: createFrontDesk({
      config,
      jobs,
      ports,
      groupsOf: createUserGroups(web, config, log, clock.nowMicros),
    }),
    forms: createFormDesk({ ...ports, config, jobs, web }),
    door: createDoor(web, identity.teamId, log, clock.nowMicros),
    chat,
    inFlight,
    log,
  });
  return {
    start: () => connection.start(),
    async stop(timeoutMs) {
      await connection.stop();
      await inFlight.settle(timeoutMs);
    },
  };
}
