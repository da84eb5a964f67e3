import type { Milliseconds } from '../../../units.ts';

/** Something for the app, whatever way it goes. */
export interface Parcel {
  readonly kind: 'slash_commands' | 'interactive' | 'events_api';
  readonly payload: Readonly<Record<string, unknown>>;
  /** The acknowledgement may carry an answer: commands and views. */
  readonly acceptsResponse: boolean;
}

/** A delivery after the first: what Slack says of the one before. */
export interface Retry {
  readonly attempt: number;
  readonly reason: string;
}

/** What became of one attempt. */
export type Receipt =
  | {
      readonly outcome: 'acknowledged';
      /** The answer in the acknowledgement: an object, text, or undefined when it was empty. */
      readonly body: unknown;
      readonly latencyMs: Milliseconds;
    }
  | {
      /** `unreachable`: nobody is there to take it; `refused`: an HTTP status other than 200. */
      readonly outcome: 'timeout' | 'unreachable' | 'refused';
      /** As Slack names it in its retries. */
      readonly reason: string;
      readonly latencyMs: Milliseconds;
    };

/** A way to the app. */
export interface Carrier {
  carry(parcel: Parcel, retry?: Retry): Promise<Receipt>;
}
