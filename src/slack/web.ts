import { setTimeout } from 'node:timers/promises';
import { type WebAPICallResult, WebClient } from '@slack/web-api';
import { Failure } from '../failure.ts';
import type { Log } from '../ports.ts';
import type { Milliseconds } from '../units.ts';
import { createBoltLogger } from './bolt-logger.ts';
import { createPinnedFetch } from './pinned-fetch.ts';
import { isUnsent, retryAfterSeconds, slackFailure } from './slack-error.ts';

export const SLACK_API_URL = 'https://slack.com/api/';

export interface SlackWebOptions {
  readonly token: string;
  readonly apiUrl?: string;
  readonly log: Log;
}

/** Slack's Web API with one policy for time, repetition and being told to slow down. Throws failures only. */
export interface SlackWeb {
  /** For calls that may be made twice without anybody seeing it: repeated while Slack has troubles. */
  call(method: string, args: Readonly<Record<string, unknown>>): Promise<WebAPICallResult>;
  /** For calls with an effect that shows: made once; after `slack-unavailable` the caller must look. */
  callOnce(method: string, args: Readonly<Record<string, unknown>>): Promise<WebAPICallResult>;
  /** Sends bytes where Slack said, without the token. */
  sendBytes(url: string, bytes: Uint8Array): Promise<void>;
}

const CALL_TIMEOUT_MS = 10_000;
const UPLOAD_TIMEOUT_MS = 60_000;
const REPEAT_AFTER_MS: readonly Milliseconds[] = [300, 1200];
/** Longer than this nobody waits for being allowed to call again. */
const LONGEST_SLOWDOWN_MS = 300_000;

export function createSlackWeb(options: SlackWebOptions): SlackWeb {
  const { log } = options;
  const apiUrl = options.apiUrl ?? SLACK_API_URL;
  const pinnedFetch = createPinnedFetch(apiUrl);
  const client = new WebClient(options.token, {
    slackApiUrl: apiUrl,
    // The policy is ours: web-api would also repeat what must not be done twice.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: CALL_TIMEOUT_MS,
    allowAbsoluteUrls: false,
    fetch: pinnedFetch,
    logger: createBoltLogger(log),
  });
  const gate = createGate();

  async function attempt(
    method: string,
    args: Readonly<Record<string, unknown>>,
    mayRepeat: boolean,
  ): Promise<WebAPICallResult> {
    for (let troubles = 0; ; ) {
      await gate.pass(method);
      try {
        return await client.apiCall(method, { ...args });
      } catch (error) {
        const waitSeconds = retryAfterSeconds(error);
        if (waitSeconds !== undefined) {
          log.warn({ method, waitSeconds }, 'slack asks to slow down');
          gate.closeFor(waitSeconds * 1000);
          continue;
        }
        const failure = slackFailure(method, error);
        const pauseMs = REPEAT_AFTER_MS[troubles];
        const isWorthIt = failure.kind === 'slack-unavailable' && (mayRepeat || isUnsent(error));
        if (!isWorthIt || pauseMs === undefined) throw failure;
        troubles += 1;
        log.debug({ method, err: error, troubles }, 'slack call is repeated');
        await setTimeout(pauseMs);
      }
    }
  }

  return {
    call: (method, args) => attempt(method, args, true),
    callOnce: (method, args) => attempt(method, args, false),
    async sendBytes(url, bytes) {
      try {
        const response = await pinnedFetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/octet-stream' },
          body: bytes.slice(),
          signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
        });
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`HTTP ${response.status}`);
      } catch (cause) {
        throw new Failure('slack-unavailable', {
          what: 'Slack did not take the bytes of a file',
          why: cause instanceof Error ? cause.message : String(cause),
          fix: 'Nothing to do: memprof tries again',
          cause,
        });
      }
    },
  };
}

/** Being told to slow down holds up every call of the process: Slack counts them together. */
function createGate() {
  let opensAtMs = 0;
  return {
    closeFor(ms: Milliseconds): void {
      opensAtMs = Math.max(opensAtMs, performance.now() + ms);
    },
    async pass(method: string): Promise<void> {
      for (let waitMs = opensAtMs - performance.now(); waitMs > 0; ) {
        if (waitMs > LONGEST_SLOWDOWN_MS) {
          throw new Failure('slack-unavailable', {
            what: `Slack does not take ${method} at the moment`,
            why: `it asked to wait ${Math.round(waitMs / 1000)} s`,
            fix: 'Nothing to do: memprof tries again',
          });
        }
        await setTimeout(waitMs);
        waitMs = opensAtMs - performance.now();
      }
    },
  };
}
