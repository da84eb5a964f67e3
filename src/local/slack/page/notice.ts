/** What the page shows beside the workspace: what to try, and what of all this is real. Plain text only. */
export interface Notice {
  readonly title: string;
  readonly text?: string;
  readonly suggestions?: readonly Suggestion[];
  /** Added to what the workspace says of itself. */
  readonly truths?: readonly Truth[];
}

/** A command that one click puts into the composer. */
export interface Suggestion {
  readonly command: string;
  /** "group by with states, 31.42 MiB by the engine's own count" */
  readonly about?: string;
}

export interface Truth {
  readonly what: string;
  readonly truth: 'real' | 'emulated' | 'recovered' | 'missing';
  readonly how: string;
}
