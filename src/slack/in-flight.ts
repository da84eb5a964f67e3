import type { Log } from '../ports.ts';
import type { Milliseconds } from '../units.ts';

/** Work that goes on after Slack has its acknowledgement. */
export interface InFlight {
  /** Starts work and lets go of it; what it throws is logged. */
  start(what: string, work: () => Promise<unknown>): void;
  /** Resolves when nothing is under way, or when the time is up. */
  settle(timeoutMs: Milliseconds): Promise<void>;
}

export function createInFlight(log: Log): InFlight {
  const running = new Set<Promise<unknown>>();
  return {
    start(what, work) {
      const run = work()
        .catch((thrown: unknown) => log.error({ err: thrown }, `${what} failed`))
        .finally(() => running.delete(run));
      running.add(run);
    },
    async settle(timeoutMs) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutMs);
      });
      await Promise.race([Promise.allSettled(running), late]);
      clearTimeout(timer);
    },
  };
}
