import { failureText } from '../templates/text/failure.ts';
import { toFailure } from './failure.ts';
import type { Milliseconds } from './units.ts';

/** Exit codes of bot and worker: 0 stopped as asked, 1 failed, 2 the config is at fault. */
const EXIT_FAILED = 1;
const EXIT_CONFIG = 2;
const EXIT_HARD = 130;

/** A process that runs until it is told to stop. */
export interface Service {
  /** Takes nothing more, lets what is under way finish, closes everything in reverse order. */
  stop(): Promise<void>;
}

/** Longer than the longest grace of a service; whoever runs us would kill us soon after. */
const STOP_TIMEOUT_MS: Milliseconds = 40_000;

/** Runs a service: SIGTERM or SIGINT stops it, a second one ends it at once. */
export async function runService(start: () => Promise<Service>): Promise<void> {
  try {
    const stopAsked = signalled();
    const service = await Promise.race([start(), stopAsked]);
    // Told to stop before it had begun.
    if (service === undefined) process.exit();
    await stopAsked;
    setTimeout(() => process.exit(EXIT_FAILED), STOP_TIMEOUT_MS).unref();
    await service.stop();
  } catch (thrown) {
    const failure = toFailure(thrown);
    process.stderr.write(`${failureText(failure)}\n`);
    if (failure.kind === 'bug' && thrown instanceof Error) {
      process.stderr.write(`${thrown.stack}\n`);
    }
    // What was started before the fault may hold the process.
    process.exit(failure.kind === 'config' ? EXIT_CONFIG : EXIT_FAILED);
  }
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    let isAsked = false;
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.on(name, () => {
        if (isAsked) process.exit(EXIT_HARD);
        isAsked = true;
        resolve();
      });
    }
  });
}
