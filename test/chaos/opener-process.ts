/**
 * What the bot does when somebody types a command, in a process that may be told to die after so many steps. It
 * prints each step that took effect.
 */
import { openInvestigation } from '../../jobs/opening.ts';
import { systemClock } from '../../src/clock.ts';
import { createInvestigations } from '../../src/queue/investigations.ts';
import { createProducer } from '../../src/queue/producer.ts';
import { connectFailFast, waitUntilReady } from '../../src/queue/redis.ts';
import { createChat } from '../../src/slack/chat.ts';
import { readIdentity } from '../../src/slack/identity.ts';
import { createSlackWeb } from '../../src/slack/web.ts';
import { silentLog } from '../support/silent-log.ts';
import { counted } from './counted.ts';

export interface OpenerSettings {
  readonly redisUrl: string;
  readonly prefix: string;
  readonly apiUrl: string;
  readonly token: string;
  readonly channel: string;
  readonly user: string;
  readonly investigationId: string;
  readonly dieAfterSteps?: number;
}

const settings = JSON.parse(process.argv[2] ?? '') as OpenerSettings;

let steps = 0;
function onEffect(call: string): void {
  steps += 1;
  process.stdout.write(`${call}\n`);
  if (steps === settings.dieAfterSteps) process.kill(process.pid, 'SIGKILL');
}

const { prefix, apiUrl, token, channel, user, investigationId } = settings;
const redis = connectFailFast(settings.redisUrl, silentLog);
await waitUntilReady(redis, 5000);
const web = createSlackWeb({ token, apiUrl, log: silentLog });
const { workspaceUrl } = await readIdentity(web);
const store = { redis, prefix, deadlineMs: 5000 };

await openInvestigation(
  {
    chat: counted('chat', createChat(web, workspaceUrl), onEffect),
    queue: counted('queue', createProducer({ ...store, log: silentLog }), onEffect),
    investigations: counted('investigations', createInvestigations(store), onEffect),
    clock: systemClock,
    log: silentLog,
  },
  {
    investigationId,
    verb: 'peak',
    admission: {
      args: { queryId: '8678d8fe', target: 'prod' },
      target: 'prod',
      command: 'peak 8678d8fe on:prod',
    },
    user,
    place: { channel },
  },
);
process.exit();
