import { Failure } from '../../src/failure.ts';
import type { PlainData } from '../../src/investigation.ts';
import type { JobQueue } from '../../src/ports.ts';

export interface FakeQueue extends JobQueue {
  readonly waiting: ReadonlyMap<string, PlainData>;
  readonly interrupted: readonly string[];
  /** What a worker would do: takes the oldest job out. */
  take(): { readonly id: string; readonly data: PlainData } | undefined;
  /** From now on nothing can be reached. */
  goAway(): void;
}

/** The queue in memory. */
export function createFakeQueue(): FakeQueue {
  const waiting = new Map<string, PlainData>();
  const known = new Set<string>();
  const interrupted: string[] = [];
  let isAway = false;
  const reach = () => {
    if (isAway) {
      throw new Failure('queue-unavailable', {
        what: 'The queue (Redis) cannot be reached, so no worker can take this up',
        why: 'it refuses connections or is just starting',
        fix: 'Try again in a minute; if it stays, whoever runs memprof should look at Redis',
      });
    }
  };
  return {
    waiting,
    interrupted,
    take() {
      const [id] = waiting.keys();
      if (id === undefined) return undefined;
      const data = waiting.get(id) ?? {};
      waiting.delete(id);
      return { id, data };
    },
    goAway() {
      isAway = true;
    },
    async enqueue(id, data) {
      reach();
      if (!known.has(id)) waiting.set(id, structuredClone(data));
      known.add(id);
    },
    async withdraw(id) {
      reach();
      if (!waiting.delete(id)) return false;
      known.delete(id);
      return true;
    },
    async interrupt(id) {
      reach();
      interrupted.push(id);
    },
  };
}
