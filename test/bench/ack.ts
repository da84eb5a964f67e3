/**
 * `node dist/test/bench/ack.js`: how long Slack waits for the acknowledgement of a signed slash command, at 50 commands
 * a second, while two workers draw.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Load, Measured } from './ack-load.ts';
import { startWorld, type World } from './world.ts';

const PER_SECOND = 50;
const SECONDS = 15;
/** The first commands meet a cold process; they are shown apart. */
const WARM_UP = 50;

await using world = await startWorld();
const { latenciesMs, failures } = await underLoad(world);
const drawn = world.workspace.calls('files.completeUploadExternal').length;
const cold = latenciesMs.slice(0, WARM_UP);
const warm = latenciesMs.slice(WARM_UP);
console.log(
  `acknowledgement of ${warm.length} signed commands at ${PER_SECOND} a second, two workers drawing (${drawn} uploads meanwhile):`,
);
console.log(
  `  p50 ${at(warm, 0.5)}  p95 ${at(warm, 0.95)}  p99 ${at(warm, 0.99)}  max ${at(warm, 1)}`,
);
console.log(`  first ${WARM_UP}: p99 ${at(cold, 0.99)}; not acknowledged: ${failures}`);

async function underLoad({ workspace, botPort, queries }: World): Promise<Measured> {
  const load: Load = {
    url: `http://127.0.0.1:${botPort}/slack/events`,
    signingSecret: workspace.signingSecret,
    perSecond: PER_SECOND,
    seconds: SECONDS,
    form: {
      command: '/memprof',
      text: `peak ${queries[0]?.queryId}`,
      user_id: workspace.users.dana,
      channel_id: workspace.channels.dbOncall,
      team_id: 'T0DATAOPS1',
      response_url: `${workspace.origin}/none`,
    },
  };
  const thread = new Worker(new URL(import.meta.resolve('#dist/test/bench/ack-load.js')), {
    workerData: load,
  });
  const [measured] = (await once(thread, 'message')) as [Measured];
  return measured;
}

function at(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1);
  return `${(sorted[index] ?? Number.NaN).toFixed(0)} ms`;
}
