import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startSampling } from '../../../jobs/sample/start.ts';
import { stopSampling } from '../../../jobs/sample/stop.ts';
import type { SamplingLease } from '../../../src/ports.ts';
import { isInForce } from '../../../src/sampling-lease.ts';
import { GRANTEES, type Process, World } from './world.ts';

const MINUTE = 60e6;

type Step =
  | {
      readonly kind: 'start';
      readonly worker: number;
      readonly grantee: string;
      readonly minutes: number;
    }
  | { readonly kind: 'stop'; readonly worker: number; readonly nth: number }
  | { readonly kind: 'stop-all'; readonly worker: number }
  | { readonly kind: 'tick'; readonly worker: number }
  /** Dies after so many of its calls took effect; another process takes its place at the end of the round. */
  | { readonly kind: 'kill'; readonly worker: number; readonly afterCalls: number }
  | { readonly kind: 'clock'; readonly minutes: number }
  | { readonly kind: 'lose-redis' };

const worker = fc.nat({ max: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('start' as const),
      worker,
      grantee: fc.constantFrom(...GRANTEES),
      minutes: fc.integer({ min: 1, max: 20 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('stop' as const), worker, nth: fc.nat({ max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop-all' as const), worker }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('tick' as const), worker }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('kill' as const),
      worker,
      afterCalls: fc.nat({ max: 12 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('clock' as const),
      minutes: fc.integer({ min: -5, max: 12 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose-redis' as const) }) },
);
/** Steps of one round happen at the same time, in any order of their calls. */
const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 8,
});

async function play(world: World, steps: readonly Step[], state: { isLost: boolean }) {
  for (const one of steps) {
    switch (one.kind) {
      case 'start': {
        const process = world.processes[one.worker] as Process;
        const id = `lease${world.written.size}x${Math.round(world.nowMicros / 1e6)}${one.worker}${one.grantee}${one.minutes}`;
        void startSampling({ target: 'prod', ...one }, process.sampling, process.context(id))
          .then(() => {
            const lease = world.written.get(id);
            if (lease !== undefined) world.promised.set(id, lease);
          })
          .catch(() => undefined);
        break;
      }
      case 'stop': {
        const process = world.processes[one.worker] as Process;
        const id = [...world.written.keys()][one.nth];
        if (id === undefined) break;
        world.promised.delete(id);
        void stopSampling({ what: id }, process.sampling, process.context('stop'))
          .catch(() => undefined)
          .finally(() => world.promised.delete(id));
        break;
      }
      case 'stop-all': {
        const process = world.processes[one.worker] as Process;
        // Whatever starts in the same round may be stopped with the rest.
        void stopSampling({ what: 'all' }, process.sampling, process.context('stop'))
          .catch(() => undefined)
          .finally(() => world.promised.clear());
        world.promised.clear();
        state.isLost = true;
        break;
      }
      case 'tick':
        void (world.processes[one.worker] as Process).watch
          .tick(new AbortController().signal)
          .catch(() => undefined);
        break;
      case 'kill':
        (world.processes[one.worker] as Process).callsLeft = one.afterCalls + 1;
        break;
      case 'clock':
        world.nowMicros += one.minutes * MINUTE;
        break;
      case 'lose-redis':
        world.leases.lose();
        state.isLost = true;
        break;
    }
  }
}

function expectAllLeased(
  on: readonly string[],
  leases: readonly SamplingLease[],
  nowMicros: number,
): void {
  const leased = leases.filter((lease) => isInForce(lease, nowMicros));
  for (const grantee of on) expect(leased.map((lease) => lease.grantee)).toContain(grantee);
}

describe('leases, whatever dies in between', () => {
  it('are never on without having been written, are kept while they are in force, and are all off at the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), rounds, async (scheduler, plan) => {
        const world = new World(scheduler);
        for (const steps of plan) {
          const state = { isLost: false };
          const before = new Set(world.promised.keys());
          await play(world, steps, state);
          await world.finish();
          await world.tickAll();
          // What was lost or stopped in this round is promised no more.
          if (state.isLost) world.promised.clear();
          const on = world.access.grantees() ?? [];
          const known = await world.leases.list();
          for (const [id, lease] of world.promised) {
            if (!isInForce(lease, world.nowMicros)) world.promised.delete(id);
            // Of this round: its clock may have jumped while it was switched on.
            else if (before.has(id)) expect(on).toContain(lease.grantee);
          }
          // Nothing was killed or lost: looking at what is overdue was enough.
          const isUndisturbed = steps.every(({ kind }) => kind !== 'kill' && kind !== 'lose-redis');
          if (isUndisturbed) expectAllLeased(on, known, world.nowMicros);
          // A look at every target leaves nothing on that has no lease in force.
          for (const process of world.processes) {
            void process.watch.sweep(new AbortController().signal).catch(() => undefined);
          }
          await scheduler.waitIdle();
          expectAllLeased(world.access.grantees() ?? [], known, world.nowMicros);
        }
        world.nowMicros += 60 * MINUTE;
        await world.finish();
        for (let turn = 0; turn < 3; turn += 1) {
          await world.tickAll();
          world.nowMicros += 2 * MINUTE;
        }
        expect(world.access.grantees() ?? []).toEqual([]);
        expect(await world.leases.list()).toEqual([]);
        const said = world.endsSaid();
        expect(new Set(said).size).toBe(said.length);
      }),
      { numRuns: 300 },
    );
  }, 120_000);
});
