import type fc from 'fast-check';
import { expect } from 'vitest';
import { createSamplingWatch, type SamplingWatch } from '../../../jobs/sample/watch.ts';
import type { Sampling, SamplingLease } from '../../../src/ports.ts';
import { createFakeAccess } from '../../fakes/fake-access.ts';
import { createFakeChat } from '../../fakes/fake-chat.ts';
import { createFakeDeliveryRecord } from '../../fakes/fake-delivery-record.ts';
import { createFakeLeases } from '../../fakes/fake-leases.ts';
import { jobContext } from '../../support/job-context.ts';
import { silentLog } from '../../support/silent-log.ts';

export const GRANTEES = ['etl', 'bi'] as const;

/** A process that may die between any two of its calls. */
export interface Process {
  readonly name: string;
  isDead: boolean;
  callsLeft: number;
  readonly sampling: Sampling;
  readonly watch: SamplingWatch;
  context(id: string): ReturnType<typeof jobContext>;
}

export class World {
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
