import { Failure } from '../../failure.ts';
import type { RunningEngine } from './running-engine.ts';

/** An engine that is started again whenever it ends without being told to. */
export interface EngineKeeper {
  /** Undefined while it is being started again. */
  current(): RunningEngine | undefined;
  /** Throws `environment` while it is being started again. */
  running(): RunningEngine;
  /** Lets the engine do what it does each second, unless it is still at it. */
  tick(): void;
  stop(): Promise<void>;
}

const MOST_ATTEMPTS = 5;
const REST_MS = 500;

/** Rejects when the first start fails. */
export async function keepRunning(start: () => Promise<RunningEngine>): Promise<EngineKeeper> {
  let current: RunningEngine | undefined;
  let isStopping = false;
  let ticking: Promise<void> | undefined;
  let restarting: Promise<void> = Promise.resolve();

  const adopt = (engine: RunningEngine) => {
    current = engine;
    void engine.process.ended.then(() => {
      current = undefined;
      engine.close();
      if (!isStopping) restarting = restart();
    });
  };
  const restart = async () => {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS && !isStopping; attempt += 1) {
      const engine = await start().catch(() => undefined);
      if (engine !== undefined) return adopt(engine);
      await new Promise((resolve) => setTimeout(resolve, attempt * REST_MS));
    }
  };
  adopt(await start());
  return {
    current: () => current,
    running: () => {
      if (current !== undefined) return current;
      throw new Failure('environment', {
        what: 'The embedded ClickHouse engine ended and is being started again',
        fix: 'Try once more in a second',
      });
    },
    tick: () => {
      // A tick that fails is one of an engine that ends; the next one is due in a second.
      ticking ??= current
        ?.tick()
        .catch(() => {})
        .finally(() => {
          ticking = undefined;
        });
    },
    stop: async () => {
      isStopping = true;
      await restarting;
      await ticking;
      current?.close();
      await current?.process.stop();
    },
  };
}
