import type { EpochMillis, Milliseconds } from '../../../units.ts';
import type { Core } from '../core.ts';
import { createHttpCarrier, verifyUrl } from './http.ts';
import type { Carrier, Parcel, Receipt } from './parcel.ts';
import { createSocketMode, type SocketMode } from './socket.ts';

/** How things reach the app. */
export type DeliveryMode =
  | { readonly mode: 'socket' }
  | { readonly mode: 'http'; readonly url: string };

export interface DeliveryOptions {
  /** Slack waits three seconds. */
  readonly ackTimeoutMs: Milliseconds;
  /** When an event that was not acknowledged is sent again. */
  readonly eventRetryMs: readonly Milliseconds[];
}

/** One attempt, for tests and benches. */
export interface DeliveryAttempt {
  readonly kind: Parcel['kind'];
  /** "/memprof", "app_mention", "block_actions". */
  readonly type: string;
  /** From 0. */
  readonly attempt: number;
  readonly receipt: Receipt;
  readonly atMillis: EpochMillis;
}

export interface Delivery {
  readonly socketMode: SocketMode;
  setMode(mode: DeliveryMode): void;
  /** True when the app at the URL of HTTP mode answers the challenge. */
  verifyUrl(): Promise<boolean>;
  /** A command or interaction: one attempt, somebody waits. */
  send(parcel: Parcel): Promise<Receipt>;
  /** An event, with its retries; resolves when it was acknowledged or given up. */
  sendEvent(payload: Readonly<Record<string, unknown>>, type: string): Promise<Receipt>;
  attempts(): readonly DeliveryAttempt[];
  close(): void;
}

const KEPT = 5000;

export function createDelivery(core: Core, options: DeliveryOptions): Delivery {
  const socketMode = createSocketMode(core, options.ackTimeoutMs);
  const attempts: DeliveryAttempt[] = [];
  const stopping = new AbortController();
  let carrier: Carrier = socketMode;
  let url = '';

  const httpOptions = () => ({
    url,
    signingSecret: core.signingSecret,
    ackTimeoutMs: options.ackTimeoutMs,
  });

  async function attempt(parcel: Parcel, type: string, number: number, reason: string) {
    const retry = number === 0 ? undefined : { attempt: number, reason };
    const receipt = await carrier.carry(parcel, retry);
    attempts.push({ kind: parcel.kind, type, attempt: number, receipt, atMillis: Date.now() });
    if (attempts.length > KEPT) attempts.shift();
    core.changes.publish({ kind: 'delivery', type });
    return receipt;
  }

  return {
    socketMode,
    setMode(mode) {
      url = mode.mode === 'http' ? mode.url : '';
      carrier = mode.mode === 'http' ? createHttpCarrier(httpOptions()) : socketMode;
    },
    verifyUrl: () => verifyUrl(httpOptions()),
    send: (parcel) => attempt(parcel, typeOf(parcel.payload), 0, ''),
    async sendEvent(payload, type) {
      const parcel: Parcel = { kind: 'events_api', payload, acceptsResponse: false };
      let receipt = await attempt(parcel, type, 0, '');
      for (const [index, waitMs] of options.eventRetryMs.entries()) {
        if (receipt.outcome === 'acknowledged') break;
        await pause(waitMs, stopping.signal);
        if (stopping.signal.aborted) break;
        receipt = await attempt(parcel, type, index + 1, receipt.reason);
      }
      return receipt;
    },
    attempts: () => [...attempts],
    close() {
      stopping.abort();
      socketMode.close();
    },
  };
}

function typeOf(payload: Readonly<Record<string, unknown>>): string {
  return String(payload.command ?? payload.type ?? '');
}

/** Ends early, without an error, when the signal comes. */
function pause(ms: Milliseconds, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
