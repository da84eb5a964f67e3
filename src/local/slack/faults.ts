import type { Milliseconds } from '../../units.ts';

/** Ways in which an answer of Slack goes wrong. Each holds for a number of calls, once unless said. */
export type Fault =
  /** 429 with Retry-After; nothing is done. */
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds: number }
  /** An HTTP error; nothing is done. */
  | { readonly kind: 'http-error'; readonly status: number }
  /** HTTP 200 with `ok: false`; nothing is done. */
  | { readonly kind: 'refused'; readonly error: string }
  /** It is done, but the caller does not hear of it. */
  | { readonly kind: 'answer-lost'; readonly how: 'http-408' | 'connection-dropped' }
  /** It is done and answered, later. */
  | { readonly kind: 'slow'; readonly delayMs: Milliseconds };

/** Troubles to order. A method is a name of the Web API, `upload`, `response_url`, or `*` for any method. */
export interface Faults {
  rateLimit(method: string, options?: { retryAfterSeconds?: number; times?: number }): void;
  failWith(method: string, status: number, times?: number): void;
  refuse(method: string, error: string, times?: number): void;
  /** "408 after success": the work is done, the answer is HTTP 408 or a dropped connection. */
  loseAnswer(
    method: string,
    options?: { how?: 'http-408' | 'connection-dropped'; times?: number },
  ): void;
  delay(method: string, delayMs: Milliseconds, times?: number): void;
  /** Completed uploads take this long to be processed; infinitely long is allowed. */
  processFilesIn(delayMs: Milliseconds): void;
  /** The next completed uploads are never shared, though Slack answers well. */
  neverShare(times?: number): void;
  /** Forgets all of the above. */
  clear(): void;
}

/** The side of it that the server asks. */
export interface FaultSource {
  take(method: string): Fault | undefined;
  readonly processingMs: Milliseconds;
  takeNeverShared(): boolean;
}

export function createFaults(processingMs: Milliseconds): { faults: Faults; source: FaultSource } {
  let pending: { readonly method: string; readonly fault: Fault; times: number }[] = [];
  let currentProcessingMs = processingMs;
  let neverShared = 0;
  const add = (method: string, fault: Fault, times = 1) => pending.push({ method, fault, times });

  const faults: Faults = {
    rateLimit: (method, { retryAfterSeconds = 1, times } = {}) =>
      void add(method, { kind: 'rate-limited', retryAfterSeconds }, times),
    failWith: (method, status, times) => void add(method, { kind: 'http-error', status }, times),
    refuse: (method, error, times) => void add(method, { kind: 'refused', error }, times),
    loseAnswer: (method, { how = 'http-408', times } = {}) =>
      void add(method, { kind: 'answer-lost', how }, times),
    delay: (method, delayMs, times) => void add(method, { kind: 'slow', delayMs }, times),
    processFilesIn(delayMs) {
      currentProcessingMs = delayMs;
    },
    neverShare(times = 1) {
      neverShared = times;
    },
    clear() {
      pending = [];
      neverShared = 0;
      currentProcessingMs = processingMs;
    },
  };
  const source: FaultSource = {
    take(method) {
      const next = pending.find((one) => one.method === method || one.method === '*');
      if (next === undefined) return undefined;
      next.times -= 1;
      if (next.times <= 0) pending = pending.filter((one) => one !== next);
      return next.fault;
    },
    get processingMs() {
      return currentProcessingMs;
    },
    takeNeverShared() {
      if (neverShared === 0) return false;
      neverShared -= 1;
      return true;
    },
  };
  return { faults, source };
}
