import { Failure, type FailureDetails, type FailureKind } from '../failure.ts';
import { formatDuration } from '../format.ts';
import type { Milliseconds } from '../units.ts';
import { readServerError, type ServerError } from './server-error.ts';

/** What was asked of whom, for the sentences. */
export interface Asked {
  readonly target: string;
  /** The ClickHouse user. */
  readonly user: string;
  /** Name of the query, or the statement. */
  readonly what: string;
}

type Sentences = Omit<FailureDetails, 'what' | 'cause'> & { readonly what?: string };

interface Translation {
  readonly kind: FailureKind;
  readonly say: (error: ServerError, asked: Asked) => Sentences;
}

const TOO_OLD: Translation = {
  kind: 'feature-missing',
  say: ({ message }) => ({
    why: `the server knows no such thing: ${message}`,
    fix: 'It is probably too old for this, or its config leaves it out',
  }),
};

const WRONG_PASSWORD: Translation = {
  kind: 'target-denied',
  say: (_, { target, user }) => ({
    what: `${target} does not let memprof in`,
    why: `user ${user} and its password were refused`,
    fix: `Check targets.${target}.user and the environment variable that holds its password`,
  }),
};

const NO_GRANT: Translation = {
  kind: 'grant-missing',
  say: ({ message }, { user }) => {
    const grant = missingGrant(message);
    return {
      why: `user ${user} lacks a privilege${grant === undefined ? `: ${message}` : ''}`,
      fix: 'Ask an admin of the server to grant it, then try again',
      ...(grant === undefined ? {} : { paste: `GRANT ${grant} TO ${user};` }),
    };
  },
};

const SETTING_REFUSED: Translation = {
  kind: 'setting-refused',
  say: ({ message }, { user }) => ({
    why: `the profile of user ${user} does not allow it: ${message}`,
    fix: 'Allow the setting in the profile of that user, or give it readonly = 2 instead of 1',
  }),
};

const BUSY: Translation = {
  kind: 'target-unreachable',
  say: ({ message }, { target }) => ({
    what: `${target} takes no more queries now`,
    why: message,
    fix: 'Try again in a moment',
  }),
};

const TIMEOUT: Translation = {
  kind: 'query-timeout',
  say: ({ message }) => ({
    why: message,
    fix: 'Try again when the server is less busy; readTimeoutMs of the target is how long memprof waits',
  }),
};

const CAP_REACHED: Translation = {
  kind: 'quota-exceeded',
  say: ({ message }) => ({
    why: message,
    fix: 'Read less, with a narrower WHERE say, or have the limit raised',
  }),
};

/** By code of the server. */
const translations: ReadonlyMap<number, Translation> = new Map([
  ...[192, 193, 194, 516].map((code) => [code, WRONG_PASSWORD] as const),
  ...[291, 497].map((code) => [code, NO_GRANT] as const),
  ...[164, 446, 452].map((code) => [code, SETTING_REFUSED] as const),
  // An unknown setting is refused as well: whoever sent it may go on without.
  [
    115,
    {
      kind: 'setting-refused',
      say: ({ message }) => ({ why: message, fix: 'The server is probably too old for this' }),
    } satisfies Translation,
  ],
  ...[16, 46, 47, 48, 60, 62, 63, 81].map((code) => [code, TOO_OLD] as const),
  [
    511,
    {
      kind: 'not-found',
      say: ({ message }) => ({
        why: message,
        fix: 'Correct the name in the config of memprof, or have the user or role made',
      }),
    } satisfies Translation,
  ],
  [
    514,
    {
      kind: 'feature-off',
      say: ({ message }, { target }) => ({
        why: `${target} keeps its users in files alone, which SQL cannot change: ${message}`,
        fix: 'Ask an admin to add a local_directory to user_directories, or to change the settings by hand',
      }),
    } satisfies Translation,
  ],
  [
    344,
    {
      kind: 'feature-off',
      say: ({ message }) => ({ why: message }),
    } satisfies Translation,
  ],
  ...[159, 160, 209].map((code) => [code, TIMEOUT] as const),
  [
    201,
    {
      kind: 'quota-exceeded',
      say: ({ message }, { user }) => ({
        why: `the quota of user ${user} is used up: ${message}`,
        fix: 'Wait until its interval is over, or give that user a larger quota',
      }),
    } satisfies Translation,
  ],
  ...[158, 307, 396].map((code) => [code, CAP_REACHED] as const),
  ...[202, 203].map((code) => [code, BUSY] as const),
  [
    241,
    {
      kind: 'memory-limit',
      say: ({ message }, { user }) => ({
        why: `the server had no memory left for it: ${message}`,
        fix: `Try again when it has, or raise max_memory_usage of user ${user}`,
      }),
    } satisfies Translation,
  ],
  [
    394,
    {
      kind: 'server-error',
      say: () => ({ why: 'somebody stopped the query on the server', fix: 'Try again' }),
    } satisfies Translation,
  ],
]);

const OTHER: Translation = {
  kind: 'server-error',
  say: ({ code, message }) => ({ why: `ClickHouse answered with code ${code}: ${message}` }),
};

/** What a server, the network or the client threw, as a Failure whose sentences name the target. */
export function toTargetFailure(thrown: unknown, asked: Asked): Failure {
  if (thrown instanceof Failure) return thrown;
  const error = serverErrorOf(thrown);
  if (error === undefined) return connectionFailure(thrown, asked);
  const { kind, say } = translations.get(error.code) ?? OTHER;
  const what = `${asked.target} did not answer ${asked.what}`;
  return new Failure(kind, { what, ...say(error, asked), cause: thrown });
}

/** The exception of the server in what the client threw; undefined when the server said nothing. */
function serverErrorOf(thrown: unknown): ServerError | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const inText = readServerError(thrown.message);
  if (inText !== undefined) return inText;
  // The client takes code and message apart; its `type` is the first word in brackets, which can be anything.
  const code = 'code' in thrown ? Number(thrown.code) : Number.NaN;
  if (!Number.isInteger(code)) return undefined;
  return readServerError(`Code: ${code}. DB::Exception: ${thrown.message}`);
}

/** The server's own deadline and ours come to the same. */
export function deadlineFailure(deadlineMs: Milliseconds, { target, what }: Asked): Failure {
  return new Failure('query-timeout', {
    what: `${target} did not answer ${what} within ${formatDuration(deadlineMs)}`,
    why: 'the server is slow or busy; memprof stopped the query there',
    fix: 'Try again when the server is less busy; readTimeoutMs of the target is how long memprof waits',
  });
}

/** "…it's necessary to have the grant SELECT(query_id, user) ON system.query_log.": without the columns. */
function missingGrant(message: string): string | undefined {
  const grant = /have (?:the )?grant (.+? ON [\w.*`]+)/i.exec(message)?.[1];
  return grant?.replace(/\([^)]*\)/g, '').replace(/\.+$/, '');
}

const NETWORK_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address',
  ECONNRESET: 'it closed the connection before its answer was complete',
  EPIPE: 'it closed the connection',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
  ETIMEDOUT: 'it did not answer the connection',
  EHOSTUNREACH: 'there is no way to its host',
  ENETUNREACH: 'there is no way to its network',
};

function connectionFailure(thrown: unknown, { target }: Asked): Failure {
  const cause = rootCause(thrown);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reason = NETWORK_REASONS[code];
  if (reason !== undefined) {
    return new Failure('target-unreachable', {
      what: `${target} cannot be reached`,
      why: `${reason} (${code})`,
      fix: `See whether the server runs, and check targets.${target}.url in the config of memprof`,
      cause: thrown,
    });
  }
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return new Failure('target-denied', {
      what: `The certificate of ${target} is not trusted`,
      why: messageOf(cause),
      fix: `Name the certificate authority's file as targets.${target}.caFile`,
      cause: thrown,
    });
  }
  return new Failure('target-unreachable', {
    what: `${target} did not answer as ClickHouse does`,
    why: shown(messageOf(cause)),
    fix: `Check that targets.${target}.url is the HTTP interface of the server (8123 or 8443)`,
    cause: thrown,
  });
}

function rootCause(thrown: unknown): unknown {
  let cause = thrown;
  while (cause instanceof AggregateError || (cause instanceof Error && cause.cause !== undefined)) {
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return cause;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function shown(answer: string): string {
  const text = answer.replace(/\s+/g, ' ').trim().slice(0, 200);
  return text === '' ? 'its answer was empty' : `it said: ${text}`;
}
