import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLeases } from '../../src/queue/leases.ts';
import { freshPrefix, startTestRedis, type TestRedis } from '../support/redis.ts';
import { silentLog } from '../support/silent-log.ts';
import type { LeaseSettings } from './lease-process.ts';
import { runProcess } from './run-process.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

type Task = Pick<LeaseSettings, 'task' | 'aheadMinutes' | 'dieAfterSteps'>;

/** One server and one Redis, on which processes do their tasks one after the other. */
function scene() {
  const prefix = freshPrefix();
  const settings = { redisUrl: redis.url, prefix, leaseId: 'aaaa1111' };
  return {
    /** Resolves to the steps that took effect, the last one being "done" unless it was killed. */
    run: async (task: Task): Promise<readonly string[]> => {
      const child = runProcess('lease-process', { ...settings, ...task });
      const end = await child.ended;
      expect(end).toBe(task.dieAfterSteps === undefined ? 0 : 'SIGKILL');
      return child.lines;
    },
    sampled: async () =>
      JSON.parse((await redis.client.get(`${prefix}:server`)) ?? '[]') as string[],
    said: () => redis.client.lrange(`${prefix}:posts`, 0, -1),
    leases: async () => {
      const leases = createLeases({
        redis: redis.client,
        prefix,
        deadlineMs: 5000,
        log: silentLog,
      });
      const found = await leases.list();
      await leases[Symbol.asyncDispose]();
      return found;
    },
    lose: () => redis.client.del(`${prefix}:leases`),
  };
}

const start: Task = { task: 'start', aheadMinutes: 0 };
/** The first thing a worker does, when the five minutes are over, and a minute more: whoever died is taken for dead. */
const end: Task = { task: 'sweep', aheadMinutes: 6 };

/** Every step of a task that nobody disturbs. */
async function stepsOf(task: Task): Promise<number> {
  const { run } = scene();
  if (task.task === 'sweep') await run(start);
  return (await run(task)).length - 1;
}

describe('a worker killed with SIGKILL', () => {
  it('at any step of a start and at any step of the end leaves nothing on, and says the end once', async () => {
    const [startSteps, endSteps] = [await stepsOf(start), await stepsOf(end)];
    expect(startSteps).toBeGreaterThan(8);
    expect(endSteps).toBeGreaterThan(5);
    for (let step = 1; step <= Math.max(startSteps, endSteps); step += 1) {
      const { run, sampled, leases, said } = scene();
      const at = `killed at step ${step}`;
      await run({ ...start, dieAfterSteps: Math.min(step, startSteps) });
      const [left] = await leases();
      // Never on without a lease; the first steps only ask.
      expect([[], left?.grantee === undefined ? [] : [left.grantee]], at).toContainEqual(
        await sampled(),
      );
      // The queue gives it to another worker, which keeps to the first one's time.
      await run(start);
      expect(await sampled(), at).toEqual(['etl']);
      const endsAtMicros = left?.endsAtMicros ?? expect.any(Number);
      expect(await leases(), at).toMatchObject([{ grantee: 'etl', endsAtMicros }]);
      await run({ ...end, dieAfterSteps: Math.min(step, endSteps) });
      await run({ ...end, aheadMinutes: 8 });
      expect(await sampled(), at).toEqual([]);
      expect(await leases(), at).toEqual([]);
      expect(await said(), at).toEqual(['sampling-ended:aaaa1111']);
    }
  }, 600_000);

  it('in a start that nobody goes on with, leaves nothing on after its time', async () => {
    for (const step of [1, 3, 7]) {
      const { run, sampled, leases } = scene();
      await run({ ...start, dieAfterSteps: step });
      await run(end);
      expect(await sampled(), `killed at step ${step}`).toEqual([]);
      expect(await leases()).toEqual([]);
    }
  }, 60_000);

  it('and Redis without its data: the next start finds who is sampled on the server, and ends it', async () => {
    const { run, sampled, lose } = scene();
    await run(start);
    await lose();
    expect(await sampled()).toEqual(['etl']);
    await run({ task: 'sweep', aheadMinutes: 0 });
    expect(await sampled()).toEqual([]);
  });
});
