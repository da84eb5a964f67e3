import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startSampling } from '../../../jobs/sample/start.ts';
import { stopSampling } from '../../../jobs/sample/stop.ts';
import { createSamplingWatch, type SamplingWatch } from '../../../jobs/sample/watch.ts';
import type { Sampling, SamplingLease } from '../../../src/ports.ts';
import { isInForce } from '../../../src/sampling-lease.ts';
import { createFakeAccess } from '../../fakes/fake-access.ts';
import { createFakeChat } from '../../fakes/fake-chat.ts';
import { createFakeDeliveryRecord } from '../../fakes/fake-delivery-record.ts';
import { createFakeLeases } from '../../fakes/fake-leases.ts';
import { jobContext } from '../../support/job-context.ts';
import { silentLog } from '../../support/silent-log.ts';

const MINUTE = 60e6;
const GRANTEES = ['etl', 'bi'] as const;

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

/** A process that may die between any two of its calls. */
interface Process {
  readonly name: string;
  isDead: boolean;
  callsLeft: number;
  readonly sampling: Sampling;
  readonly watch: SamplingWatch;
  context(id: string): ReturnType<typeof jobContext>;
}

class World {
  nowMicros = 1_790_000_000_000_000;
  readonly access = createFakeAccess();
  readonly leases = createFakeLeases();
  readonly deliveries = createFakeDeliveryRecord();
  readonly chat = createFakeChat();
  /** Every lease that was ever written down, by when. */
  readonly written = new Map<string, SamplingLease>();
  /** Leases whose start was answered, until they are stopped, lost or over. */
  readonly promised = new Map<string, SamplingLease>();
  readonly processes: Process[] = [];
  readonly scheduler: fc.Scheduler;
  private count = 0;

  constructor(scheduler: fc.Scheduler) {
    this.scheduler = scheduler;
    this.processes.push(this.begin(), this.begin());
  }

  begin(): Process {
    this.count += 1;
    const name = `w${this.count}`;
    const process: Process = {
      ...{ name, isDead: false, callsLeft: Number.POSITIVE_INFINITY },
      context: (id) => ({
        ...jobContext(),
        investigationId: id,
        askedBy: '<@U1>',
        place: { channel: 'C1', threadTs: '1790000000.000100' },
        ports: { ...jobContext().ports, clock, clickhouse: wrap('server', this.access) },
      }),
      get sampling() {
        return sampling;
      },
      get watch() {
        return watch;
      },
    };
    const clock = { nowMicros: () => this.nowMicros };
    const wrap = <T extends object>(label: string, port: T): T => this.wrap(label, port, process);
    const sampling: Sampling = {
      leases: wrap('leases', {
        ...this.leases,
        put: async (lease: SamplingLease) => {
          this.written.set(lease.id, lease);
          return this.leases.put(lease);
        },
      }),
      targets: ['prod'],
      policy: () => ({ grantees: GRANTEES, maxMinutes: 30, profile: 'memprof_sampling' }),
    };
    const watch = createSamplingWatch(
      {
        ...{ clock, sampling, log: silentLog },
        clickhouse: wrap('server', this.access),
        chat: wrap('chat', this.chat),
        deliveries: wrap('deliveries', this.deliveries),
      },
      name,
    );
    return process;
  }

  /** Each call waits for its turn, and takes effect unless its process is dead by then. */
  private wrap<T extends object>(label: string, port: T, process: Process): T {
    const never = new Promise<never>(() => undefined);
    return new Proxy(port, {
      get: (from, key) => {
        const method: unknown = Reflect.get(from, key);
        if (typeof method !== 'function') return method;
        return async (...args: unknown[]) => {
          await this.scheduler.schedule(
            Promise.resolve(),
            `${process.name} ${label}.${String(key)}`,
          );
          if (process.isDead) return never;
          const before = this.access.grantees() ?? [];
          const result: unknown = await Reflect.apply(method, from, args);
          this.checkSwitchedOn(before);
          process.callsLeft -= 1;
          if (process.callsLeft <= 0) {
            process.isDead = true;
            return never;
          }
          return result;
        };
      },
    });
  }

  /** Nobody is ever switched on before a lease for him was written down. */
  private checkSwitchedOn(before: readonly string[]): void {
    for (const grantee of this.access.grantees() ?? []) {
      if (before.includes(grantee)) continue;
      expect([...this.written.values()].map((lease) => lease.grantee)).toContain(grantee);
    }
  }

  /** All of the round to its end, the dead replaced, as whoever runs workers does. */
  async finish(): Promise<void> {
    await this.scheduler.waitIdle();
    for (const [index, process] of this.processes.entries()) {
      process.callsLeft = Number.POSITIVE_INFINITY;
      if (!process.isDead) continue;
      const next = this.begin();
      this.processes[index] = next;
      void next.watch.sweep(new AbortController().signal).catch(() => undefined);
    }
    await this.scheduler.waitIdle();
  }

  async tickAll(): Promise<void> {
    for (const process of this.processes) {
      void process.watch.tick(new AbortController().signal).catch(() => undefined);
    }
    await this.scheduler.waitIdle();
  }

  endsSaid(): readonly string[] {
    return [...this.chat.messages.values()]
      .map(({ deliveryKey }) => deliveryKey)
      .filter((key) => key.startsWith('sampling-ended:'));
  }
}

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
