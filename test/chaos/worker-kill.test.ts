import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openInvestigation } from '../../jobs/opening.ts';
import { systemClock } from '../../src/clock.ts';
import { startWorkspace, type Workspace } from '../../src/local/slack/workspace.ts';
import { createInvestigations } from '../../src/queue/investigations.ts';
import { createProducer } from '../../src/queue/producer.ts';
import { createChat } from '../../src/slack/chat.ts';
import { readIdentity } from '../../src/slack/identity.ts';
import { createSlackWeb } from '../../src/slack/web.ts';
import { eventually } from '../support/eventually.ts';
import { freshPrefix, startTestRedis, type TestRedis } from '../support/redis.ts';
import { silentLog } from '../support/silent-log.ts';
import { startChaosWorker } from './chaos-worker.ts';
import { endProcess, runProcess } from './run-process.ts';
import type { WorkerSettings } from './worker-process.ts';

const STALLED_AFTER_MS = 1500;
const FINDING = 'Query 8678d8fe held 3.20 GiB at its peak, 81% of it in aggregation.';

let redis: TestRedis;
let workspace: Workspace;
beforeAll(async () => {
  redis = await startTestRedis();
  workspace = await startWorkspace({ fileProcessingMs: 40 });
});
afterAll(async () => {
  await workspace.close();
  await redis[Symbol.asyncDispose]();
});

/** An investigation that is queued, in a queue of its own. */
async function queueInvestigation() {
  const { apiUrl, botToken, channels, users } = workspace;
  const prefix = freshPrefix();
  const investigationId = randomBytes(4).toString('hex');
  const web = createSlackWeb({ token: botToken, apiUrl, log: silentLog });
  const { workspaceUrl } = await readIdentity(web);
  const store = { redis: redis.client, prefix, deadlineMs: 5000 };
  const investigations = createInvestigations(store);
  const queue = createProducer({ ...store, log: silentLog });
  const root = await openInvestigation(
    {
      chat: createChat(web, workspaceUrl),
      queue,
      investigations,
      clock: systemClock,
      log: silentLog,
    },
    {
      investigationId,
      verb: 'peak',
      admission: {
        args: { queryId: '8678d8fe', target: 'prod' },
        target: 'prod',
        command: `peak 8678d8fe on:prod ${investigationId}`,
      },
      user: users.dana,
      place: { channel: channels.dbOncall },
    },
  );
  await queue[Symbol.asyncDispose]();
  const settings: WorkerSettings = {
    redisUrl: redis.url,
    prefix,
    apiUrl,
    token: botToken,
    stalledAfterMs: STALLED_AFTER_MS,
  };
  return { investigationId, investigations, settings, ts: root?.ts ?? '' };
}

/** One worker dies after so many steps, another is there; resolves to what the first had done. */
async function killAfter(dieAfterSteps: number) {
  const { investigationId, investigations, settings, ts } = await queueInvestigation();
  const victim = runProcess('worker-process', { ...settings, dieAfterSteps });
  let hasEnded = false;
  void victim.ended.then(() => {
    hasEnded = true;
  });
  // A run may have fewer steps than the undisturbed one: how often a file is asked after depends on its speed.
  await eventually(async () => {
    const { state } = (await investigations.get(investigationId)) ?? {};
    expect(hasEnded || state === 'answered', victim.lines.join(' ')).toBe(true);
  }, 60_000);
  await endProcess(victim);
  expect(await victim.ended).toBe('SIGKILL');
  const rescued: string[] = [];
  const rescuer = await startChaosWorker(settings, (call) => rescued.push(call));
  try {
    await eventually(async () => {
      const { state } = (await investigations.get(investigationId)) ?? {};
      const where = `${victim.lines.join(' ')} KILLED ${rescued.join(' ')}`;
      expect(state, where).toBe('answered');
    }, 60_000);
    return { done: victim.lines.filter((line) => line !== 'ready'), ts, investigationId };
  } finally {
    await rescuer.close(2000);
  }
}

function threadOf(ts: string) {
  const channel = workspace.channels.dbOncall;
  const [root, ...replies] = workspace.thread(channel, ts);
  return { root, replies };
}

/** Every step of a delivery that nobody disturbs, in order. */
async function undisturbedSteps(): Promise<readonly string[]> {
  const { investigationId, investigations, settings } = await queueInvestigation();
  const steps: string[] = [];
  const worker = await startChaosWorker(settings, (call) => steps.push(call));
  try {
    await eventually(async () =>
      expect(await investigations.get(investigationId)).toMatchObject({ state: 'answered' }),
    );
    await eventually(() =>
      expect(steps.slice(-2)).toEqual(['investigations.note', 'deliveries.note']),
    );
    return steps;
  } finally {
    await worker.close(2000);
  }
}

describe('a worker killed with SIGKILL', () => {
  it('at any step leaves one message, one upload, and an answer by another worker', async () => {
    const steps = await undisturbedSteps();
    expect(steps).toEqual(
      expect.arrayContaining([
        'deliveries.read',
        'job.run',
        'chat.update',
        'studio.draw',
        'chat.reserveUpload',
        'chat.sendUpload',
        'chat.completeUpload',
        'deliveries.note',
      ]),
    );
    const kills = steps.map((_, index) => index + 1);
    const seen: string[] = [];
    const killNext = async (): Promise<void> => {
      for (let at = kills.shift(); at !== undefined; at = kills.shift()) {
        const { done, ts, investigationId } = await killAfter(at);
        const { root, replies } = threadOf(ts);
        const where = `killed after step ${at}: ${done.at(-1)}`;
        seen.push(where);
        // One message, with its answer and both pictures, and nothing pending.
        expect(root?.text, where).toBe(FINDING);
        const types = root?.blocks.map(({ type }) => type);
        expect(types, where).toEqual(['section', 'image', 'image', 'actions', 'context']);
        // One upload that people see: one reply with both files.
        expect(
          replies.map(({ files }) => files.length),
          where,
        ).toEqual([2]);
        const roots = workspace
          .messages(workspace.channels.dbOncall)
          .filter((message) => JSON.stringify(message.blocks).includes(investigationId));
        expect(roots, where).toHaveLength(1);
      }
    };
    await Promise.all([killNext(), killNext(), killNext()]);
    expect(seen).toHaveLength(steps.length);
  }, 240_000);

  it('again and again ends with words instead of taking every worker down', async () => {
    const { investigationId, investigations, settings, ts } = await queueInvestigation();
    for (let kill = 1; kill <= 5; kill += 1) {
      const victim = runProcess('worker-process', { ...settings, dieAfterSteps: 4 });
      expect(await victim.ended).toBe('SIGKILL');
    }
    const last = runProcess('worker-process', settings);
    try {
      await eventually(async () =>
        expect(await investigations.get(investigationId)).toMatchObject({ state: 'failed' }),
      );
    } finally {
      await endProcess(last);
    }
    expect(threadOf(ts).root?.text).toContain('Every worker that took this up was lost.');
  }, 60_000);
});
