import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { Failure } from '../failure.ts';

/** Slack's own troubles: it may or may not have done what it was asked. */
const PASSING = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'rate_limited',
]);

const TOKEN = new Set([
  'not_authed',
  'invalid_auth',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
  'org_login_required',
  'ekm_access_denied',
]);

/** An error of a Web API call as a failure. Only here does anybody look at Slack's error shapes. */
export function slackFailure(method: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof WebAPIPlatformError) return platformFailure(method, error);
  return new Failure('slack-unavailable', {
    what: `Slack did not answer ${method}`,
    why: transportReason(error),
    fix: 'Nothing to do: memprof tries again',
    cause: error,
  });
}

/** Whether Slack surely did nothing: the connection was never made. */
export function isUnsent(error: unknown): boolean {
  if (!(error instanceof WebAPIRequestError)) return false;
  const code = codeOf(error.original);
  return (
    code === 'ECONNREFUSED' ||
    code === 'ENOTFOUND' ||
    code === 'EAI_AGAIN' ||
    code === 'UND_ERR_CONNECT_TIMEOUT'
  );
}

/** How long Slack wants us to wait, in seconds; undefined when it is not about that. */
export function retryAfterSeconds(error: unknown): number | undefined {
  if (error instanceof WebAPIRateLimitedError) return error.retryAfter;
  if (error instanceof WebAPIPlatformError && /^rate_?limited$/.test(error.data.error)) {
    return error.data.response_metadata?.retryAfter ?? 3;
  }
  // What web-api throws for a 429 without a header that it can read.
  if (error instanceof Error && error.message.startsWith('Retry header did not contain')) return 3;
  return undefined;
}

function platformFailure(method: string, error: WebAPIPlatformError): Failure {
  const code = error.data.error;
  const said = detailsOf(error);
  if (PASSING.has(code)) {
    return new Failure('slack-unavailable', {
      what: `Slack could not do ${method}`,
      why: `it says ${code}`,
      fix: 'Nothing to do: memprof tries again',
      cause: error,
    });
  }
  if (said.some((line) => /invalid slack file/i.test(line))) {
    return new Failure('file-not-ready', {
      what: 'Slack has not processed the picture yet',
      why: said.join('; '),
      cause: error,
    });
  }
  if (code === 'not_in_channel' || code === 'channel_not_found') return notInChannel(code, error);
  if (code === 'missing_scope') return missingScope(method, error);
  if (TOKEN.has(code)) {
    return new Failure('slack-refused', {
      what: 'Slack does not accept the token of memprof',
      why: `it says ${code}`,
      fix: 'Whoever runs memprof should install the Slack app again and put its new token into the config',
      cause: error,
    });
  }
  return new Failure('slack-refused', {
    what: `Slack refused ${method}`,
    why: [code, ...said].join('; '),
    fix: 'Give the reference to whoever runs memprof',
    cause: error,
  });
}

/** What Slack's answers hold beyond web-api's type of them. */
interface PlatformDetails {
  readonly needed?: string;
  readonly provided?: string;
  /** "invalid slack file [json-pointer:/blocks/0/slack_file]" */
  readonly errors?: readonly string[];
}

function detailsOf({ data }: WebAPIPlatformError): readonly string[] {
  const { errors = [] } = data as PlatformDetails;
  return [...new Set([...errors, ...(data.response_metadata?.messages ?? [])])];
}

function notInChannel(code: string, cause: unknown): Failure {
  return new Failure('not-in-channel', {
    what:
      code === 'not_in_channel'
        ? 'memprof is not in this channel'
        : 'memprof cannot see this channel',
    why: 'it posts only where it was invited',
    fix: 'Type this in the channel, then try again',
    paste: '/invite @memprof',
    cause,
  });
}

function missingScope(method: string, error: WebAPIPlatformError): Failure {
  const { needed, provided } = error.data as PlatformDetails;
  return new Failure('slack-refused', {
    what: `The Slack app of memprof lacks the scope ${needed ?? 'that this needs'}`,
    why: `${method} needs it; the app has ${provided ?? 'others'}`,
    fix: 'Whoever runs memprof should add the scope under OAuth & Permissions and install the app again',
    cause: error,
  });
}

function transportReason(error: unknown): string {
  if (error instanceof WebAPIHTTPError) return `it answered with HTTP ${error.statusCode}`;
  if (error instanceof WebAPIRequestError) {
    const code = codeOf(error.original);
    return code === undefined ? error.original.message : `the connection failed (${code})`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** Node's fetch hides the reason in the cause. */
function codeOf(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    if (at.name === 'TimeoutError') return 'no answer in time';
  }
  return undefined;
}
