import type { Milliseconds } from '../../../units.ts';
import type { Carrier, Parcel, Receipt, Retry } from './parcel.ts';
import { signatureHeaders } from './signature.ts';

export interface HttpCarrierOptions {
  readonly url: string;
  readonly signingSecret: string;
  readonly ackTimeoutMs: Milliseconds;
}

/** Signed requests to the app's URL, in the form that Slack sends each kind. */
export function createHttpCarrier(options: HttpCarrierOptions): Carrier {
  return {
    carry(parcel, retry) {
      const { contentType, body } = encode(parcel);
      return post(options, contentType, body, retry);
    },
  };
}

/** Asks the app to prove that the URL is its own, as Slack does when the URL is entered. */
export async function verifyUrl(options: HttpCarrierOptions): Promise<boolean> {
  const challenge = `challenge-${Date.now()}`;
  const body = JSON.stringify({ type: 'url_verification', token: 'unused', challenge });
  const receipt = await post(options, 'application/json', body);
  if (receipt.outcome !== 'acknowledged') return false;
  const { body: answer } = receipt;
  return answer === challenge || (answer as { challenge?: unknown })?.challenge === challenge;
}

function encode({ kind, payload }: Parcel): { contentType: string; body: string } {
  // Exactly this type: Bolt does not parse it as a form when a charset follows.
  const contentType = 'application/x-www-form-urlencoded';
  if (kind === 'events_api') {
    return { contentType: 'application/json', body: JSON.stringify(payload) };
  }
  if (kind === 'interactive') {
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    return { contentType, body };
  }
  const fields = Object.entries(payload).map(([name, value]) => [name, String(value)]);
  return { contentType, body: new URLSearchParams(Object.fromEntries(fields)).toString() };
}

async function post(
  { url, signingSecret, ackTimeoutMs }: HttpCarrierOptions,
  contentType: string,
  body: string,
  retry?: Retry,
): Promise<Receipt> {
  const startedAt = performance.now();
  const latencyMs = () => performance.now() - startedAt;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': contentType,
        ...signatureHeaders(signingSecret, body),
        ...retryHeaders(retry),
      },
      body,
      signal: AbortSignal.timeout(ackTimeoutMs),
    });
    const text = await response.text();
    if (response.status !== 200) {
      return { outcome: 'refused', reason: 'http_error', latencyMs: latencyMs() };
    }
    return { outcome: 'acknowledged', body: decode(text), latencyMs: latencyMs() };
  } catch (thrown) {
    const isLate = thrown instanceof Error && thrown.name === 'TimeoutError';
    return isLate
      ? { outcome: 'timeout', reason: 'http_timeout', latencyMs: latencyMs() }
      : { outcome: 'unreachable', reason: 'connection_failed', latencyMs: latencyMs() };
  }
}

function retryHeaders(retry: Retry | undefined): Record<string, string> {
  if (retry === undefined) return {};
  return { 'x-slack-retry-num': String(retry.attempt), 'x-slack-retry-reason': retry.reason };
}

/** JSON when it is some, else the text. */
function decode(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
