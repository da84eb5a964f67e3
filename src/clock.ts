import { setTimeout } from 'node:timers/promises';
import type { Clock } from './ports.ts';
import type { Milliseconds } from './units.ts';

export const systemClock: Clock = { nowMicros: () => Date.now() * 1000 };

/** Waits; rejects at once when the signal is aborted. */
export async function pause(ms: Milliseconds, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, signal === undefined ? {} : { signal });
}
