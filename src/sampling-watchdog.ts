import type { SamplingWatch } from '../jobs/sample/watch.ts';
import type { PlainData } from './investigation.ts';
import type { Log } from './ports.ts';
import type { Milliseconds } from './units.ts';

/** Sampling ends at most this much late when the job that is to end it is lost. */
const TICK_EVERY_MS: Milliseconds = 15_000;
/** Every target, lease or not: one small query each. */
const SWEEP_EVERY_TICKS = 20;
/** A target that does not answer must not keep others waiting for longer. */
const LOOK_MS: Milliseconds = 60_000;

export interface SamplingWatchdog {
  /** Looks at once: a lease is to end now. */
  wake(): Promise<PlainData>;
  stop(): Promise<void>;
}

/** Has the watch look at the start of the worker, and again and again. */
export function startSamplingWatchdog(watch: SamplingWatch, log: Log): SamplingWatchdog {
  let ticks = 0;
  let running = look();
  const timer = setInterval(() => {
    running = running.then(look);
  }, TICK_EVERY_MS);

  async function look(): Promise<void> {
    const signal = AbortSignal.timeout(LOOK_MS);
    try {
      await (ticks % SWEEP_EVERY_TICKS === 0 ? watch.sweep(signal) : watch.tick(signal));
      ticks += 1;
    } catch (thrown) {
      log.warn({ err: thrown }, 'sampling not looked at');
    }
  }

  return {
    async wake() {
      await watch.tick(AbortSignal.timeout(LOOK_MS));
      return { outcome: 'looked' };
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
