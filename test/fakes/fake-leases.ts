import type { Leases, SamplingLease } from '../../src/ports.ts';

export interface FakeLeases extends Leases {
  /** As when Redis comes back without its data. */
  lose(): void;
}

/** Leases in memory. */
export function createFakeLeases(): FakeLeases {
  const leases = new Map<string, SamplingLease>();
  const change = (id: string, changes: (lease: SamplingLease) => Partial<SamplingLease>) => {
    const lease = leases.get(id);
    if (lease !== undefined) leases.set(id, { ...lease, ...changes(lease) });
  };
  return {
    lose: () => leases.clear(),
    put: async (lease) => {
      const standing = leases.get(lease.id) ?? lease;
      leases.set(lease.id, standing);
      return standing;
    },
    list: async () => [...leases.values()],
    confirm: async (id) => change(id, () => ({ isConfirmed: true })),
    shorten: async (id, endsAtMicros) =>
      change(id, (lease) => ({ endsAtMicros: Math.min(lease.endsAtMicros, endsAtMicros) })),
    remove: async (id) => {
      leases.delete(id);
    },
  };
}
