import { dotted, sentence } from './sentence.ts';

/**
 * An expected way not to answer. Adapters translate foreign errors into failures once;
 * everybody else throws, catches and shows only these.
 */

interface FailurePolicy {
  /** Whether the same request may succeed when it is tried again by itself. */
  readonly retry: boolean;
  /** `info`: the asker's matter; `warn`: will pass; `error`: someone who runs the bot should look. */
  readonly level: 'info' | 'warn' | 'error';
  /** Stable reference that people can search for and paste. */
  readonly code: string;
}

export const failureKinds = {
  usage: { retry: false, level: 'info', code: 'E101' },
  'not-allowed': { retry: false, level: 'info', code: 'E102' },
  'unknown-target': { retry: false, level: 'info', code: 'E103' },
  'not-found': { retry: false, level: 'info', code: 'E104' },
  'still-running': { retry: false, level: 'info', code: 'E105' },
  'no-samples': { retry: false, level: 'info', code: 'E106' },
  'target-unreachable': { retry: true, level: 'warn', code: 'E201' },
  'target-denied': { retry: false, level: 'error', code: 'E202' },
  'grant-missing': { retry: false, level: 'info', code: 'E203' },
  'setting-refused': { retry: false, level: 'info', code: 'E204' },
  'feature-missing': { retry: false, level: 'info', code: 'E205' },
  'feature-off': { retry: false, level: 'info', code: 'E206' },
  'query-timeout': { retry: false, level: 'warn', code: 'E207' },
  'memory-limit': { retry: false, level: 'warn', code: 'E208' },
  'quota-exceeded': { retry: false, level: 'warn', code: 'E209' },
  'server-error': { retry: false, level: 'warn', code: 'E210' },
  'not-a-profile': { retry: false, level: 'info', code: 'E301' },
  'broken-profile': { retry: false, level: 'info', code: 'E302' },
  'unreadable-statistics': { retry: false, level: 'warn', code: 'E303' },
  'queue-unavailable': { retry: true, level: 'error', code: 'E401' },
  'store-unavailable': { retry: true, level: 'error', code: 'E402' },
  'slack-unavailable': { retry: true, level: 'warn', code: 'E403' },
  'slack-refused': { retry: false, level: 'error', code: 'E404' },
  'not-in-channel': { retry: false, level: 'info', code: 'E405' },
  'file-not-ready': { retry: true, level: 'warn', code: 'E406' },
  'store-full': { retry: false, level: 'error', code: 'E407' },
  cancelled: { retry: false, level: 'info', code: 'E501' },
  interrupted: { retry: true, level: 'warn', code: 'E502' },
  config: { retry: false, level: 'error', code: 'E601' },
  environment: { retry: false, level: 'error', code: 'E602' },
  bug: { retry: false, level: 'error', code: 'E999' },
} as const satisfies Record<string, FailurePolicy>;

export type FailureKind = keyof typeof failureKinds;

export interface FailureDetails {
  /** What happened, one sentence without the final dot: "Could not read system.trace_log on chi-3". */
  readonly what: string;
  /** Why, one sentence: "User memprof lacks SELECT on it". */
  readonly why?: string;
  /** What to do next. */
  readonly fix?: string;
  /** A statement, setting or command to copy, shown as code. */
  readonly paste?: string;
  readonly cause?: unknown;
}

/**
 * Thrown for every expected failure. The words are plain text for people (never mrkdwn);
 * they may contain names and messages from a server, never a password or a token.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly kind: FailureKind;
  readonly what: string;
  readonly why: string | undefined;
  readonly fix: string | undefined;
  readonly paste: string | undefined;

  constructor(kind: FailureKind, details: FailureDetails) {
    super(inSentences(details), details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.what = details.what;
    this.why = details.why;
    this.fix = details.fix;
    this.paste = details.paste;
  }

  get code(): string {
    return failureKinds[this.kind].code;
  }

  get retry(): boolean {
    return failureKinds[this.kind].retry;
  }
}

/** Any thrown value as a Failure; what was not expected becomes kind `bug`, with its cause kept for the log. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  return new Failure('bug', {
    what: 'memprof met a fault of its own',
    why: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown),
    fix: 'Try once more; if it stays, give the reference to whoever runs memprof',
    cause: thrown,
  });
}

/** What happened begins as it was written, with the name of a server say. */
function inSentences({ what, why, fix }: FailureDetails): string {
  const rest = [why, fix].filter((part) => part !== undefined && part !== '');
  return [dotted(what), ...rest.map((part) => sentence(part as string))].join(' ');
}
