import type { EpochMicros } from './units.ts';

/** A message or, with `threadTs`, the thread under it. */
export interface Place {
  readonly channel: string;
  /** The first message of the thread, never a reply. */
  readonly threadTs?: string;
}

/** Data that lies in Redis in clear text: no secrets, no class instances, no bigint. */
export type PlainData = Readonly<Record<string, unknown>>;

export const investigationStates = [
  'opening',
  'queued',
  'running',
  'answered',
  'failed',
  'cancelled',
] as const;

/**
 * `opening`: noted, before its root message stands and it is queued. `answered`, `failed` and `cancelled` are final:
 * the thread has its answer.
 */
export type InvestigationState = (typeof investigationStates)[number];

/** One request and its thread. */
export interface Investigation extends Place {
  readonly id: string;
  readonly state: InvestigationState;
  /** The command as it can be typed again: "peak 8678d8fe on:prod". */
  readonly command: string;
  readonly verb: string;
  readonly target?: string;
  readonly user: string;
  readonly openedAtMicros: EpochMicros;
  /** Of the root message, once it stands. */
  readonly ts?: string;
  /** The stage that began last, in words. */
  readonly stage?: string;
  /** The sentence that the thread ended with. */
  readonly finding?: string;
  /** Who asked to stop it. */
  readonly cancelledBy?: string;
  /** What travels to the worker; kept so that an opening that was cut short can be finished. */
  readonly request: PlainData;
}

export type InvestigationNote = Partial<
  Pick<Investigation, 'state' | 'ts' | 'stage' | 'finding' | 'cancelledBy'>
>;
