import type { DeliveryRecord } from '../../src/ports.ts';

/** The delivery record in memory. */
export function createFakeDeliveryRecord(): DeliveryRecord {
  const records = new Map<string, Map<string, string>>();
  const steps = (id: string) => {
    const found = records.get(id) ?? new Map<string, string>();
    records.set(id, found);
    return found;
  };
  return {
    read: async (id) => Object.fromEntries(steps(id)),
    note: async (id, step, value) => {
      steps(id).set(step, value);
    },
    claim: async (id, step, value) => {
      const standing = steps(id).get(step) ?? value;
      steps(id).set(step, standing);
      return standing;
    },
  };
}
