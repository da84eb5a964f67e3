import { type ClickHouseTarget, type Config, targetOf } from '../config.ts';
import { Failure } from '../failure.ts';
import type { QueryRunner, ReadOptions, RunCaps, Statement } from '../ports.ts';
import { runPolicyOf } from '../run-policy.ts';
import type { Count } from '../units.ts';
import { startDeadline } from './deadline.ts';
import { type Asked, deadlineFailure, toTargetFailure } from './failures.ts';
import { type Post, type Posted, postQuery } from './post-query.ts';

/** The server's own limit comes first; this is for a server that does not answer at all. */
const GRACE_MS = 15_000;
const KILL_MS = 5000;
/** Proxies refuse answers with more than some kilobytes of headers, and each progress is one. */
const MAX_PROGRESS_HEADERS = 20;
const MIN_PROGRESS_MS = 1000;

/** Runs people's statements on the servers of a config, each as that server's own read-only user. */
export function createQueryRunner(config: Config): QueryRunner {
  const access = (name: string) => accessTo(config, name);

  /** Asks about a statement without running it. */
  async function explain(
    name: string,
    sql: string,
    options: ReadOptions,
    settings: Readonly<Record<string, string | number>> = EXPLAIN_SETTINGS,
  ): Promise<string> {
    const { target, user, password } = access(name);
    const deadlineMs = options.deadlineMs ?? target.readTimeoutMs;
    const asked = { target: name, user, what: 'EXPLAIN' };
    using deadline = startDeadline(options.signal, deadlineMs, () =>
      deadlineFailure(deadlineMs, asked),
    );
    const { text } = await postStatement({
      ...{ target, user, password, asked, sql, settings },
      signal: deadline.signal,
    });
    return text;
  }

  return {
    policy: (name) => runPolicyOf(config, name),
    syntaxTree: (name, sql, options) => explain(name, `EXPLAIN AST ${sql}`, options),

    async allowedCaps(name, wanted, options) {
      let caps = wanted;
      for (;;) {
        try {
          await explain(name, 'EXPLAIN AST SELECT 1', options, settingsOf({ caps, settings: {} }));
          return caps;
        } catch (thrown) {
          const lower = loweredBy(thrown, caps);
          if (lower === undefined) throw thrown;
          caps = lower;
        }
      }
    },

    async estimateRows(name, sql, options) {
      const text = await explain(name, `EXPLAIN ESTIMATE ${sql}`, options);
      return sumOfRows(text);
    },

    async run(name, statement, { signal, onProgress }) {
      const { target, user, password } = access(name);
      const { queryId, caps } = statement;
      const asked = { target: name, user, what: 'the statement' };
      const deadlineMs = caps.seconds * 1000 + GRACE_MS;
      using deadline = startDeadline(signal, deadlineMs, () => deadlineFailure(deadlineMs, asked));
      try {
        const { progress, text } = await postStatement({
          ...{ target, user, password, asked, queryId, onProgress },
          sql: `${statement.sql}\nFORMAT Null`,
          settings: settingsOf(statement),
          signal: deadline.signal,
        });
        // No rows come with FORMAT Null: what came is an exception after the head of the answer.
        if (text.trim() !== '') throw toStatementFailure(new Error(text), asked);
        return progress;
      } catch (thrown) {
        // The connection is closed, which stops what is read-only; this is for servers where that is off.
        if (deadline.signal.aborted) await kill(name, queryId);
        throw thrown;
      }
    },
  };

  /** By memprof's own user too: reading system.processes is what KILL needs, and the other one may lack it. */
  async function kill(name: string, queryId: string): Promise<void> {
    const { target, user, password } = access(name);
    const sql = 'KILL QUERY WHERE query_id = {id:String} ASYNC';
    const request = {
      ...{ target, sql, parameters: { id: queryId }, settings: {} },
      asked: { target: name, user, what: 'KILL QUERY' },
    };
    const kills = [
      { user, password },
      { user: target.user, password: target.password },
    ].map((who) => postQuery({ ...request, ...who, signal: AbortSignal.timeout(KILL_MS) }));
    // Not allowed, or the server is away: max_execution_time ends the query.
    await Promise.allSettled(kills);
  }
}

const READ_ONLY = { readonly: 2, cancel_http_readonly_queries_on_client_close: 1 } as const;

/** Scalar subqueries are carried out when a statement is only explained. */
const EXPLAIN_SETTINGS = {
  ...READ_ONLY,
  default_format: 'TSVRaw',
  log_comment: 'memprof run',
  max_execution_time: 10,
  max_memory_usage: 2 ** 30,
} as const;

async function postStatement(post: Post): Promise<Posted> {
  try {
    return await postQuery(post);
  } catch (thrown) {
    if (post.signal.aborted) throw post.signal.reason;
    throw toStatementFailure(thrown, post.asked);
  }
}

/** What is unknown to the server is the fault of the statement, not of its age; what is refused are the caps. */
function toStatementFailure(thrown: unknown, asked: Asked): Failure {
  const failure = toTargetFailure(thrown, asked);
  if (failure.kind === 'setting-refused') {
    return new Failure('setting-refused', {
      what: `${asked.target} refuses the settings that statements are run with`,
      why: failure.why ?? failure.what,
      fix: `Ask for less with time:, memory:, rows: or bytes:, or have targets.${asked.target}.run brought in line with the profile of user ${asked.user}, which needs readonly = 2`,
      cause: failure,
    });
  }
  if (failure.kind !== 'feature-missing') return failure;
  return new Failure('usage', {
    what: `${asked.target} cannot make sense of the statement`,
    why: (failure.why ?? failure.what)
      .replace(/^the server knows no such thing: /, '')
      .replace(/\. Expected one of:.*$/s, ''),
    fix: 'Correct it and send it again',
    cause: failure,
  });
}

const CAP_SETTINGS = {
  max_execution_time: 'seconds',
  max_memory_usage: 'memoryBytes',
  max_rows_to_read: 'readRows',
  max_bytes_to_read: 'readBytes',
} as const satisfies Record<string, keyof RunCaps>;

/**
 * "Setting max_memory_usage shouldn't be greater than 8000000000": the caps with that one lowered; undefined where the
 * refusal is about something else.
 */
function loweredBy(thrown: unknown, caps: RunCaps): RunCaps | undefined {
  if (!(thrown instanceof Failure) || thrown.kind !== 'setting-refused') return undefined;
  const said = /Setting (\w+) shouldn't be greater than (\d+)/.exec(thrown.why ?? '');
  const [, setting = '', most = ''] = said ?? [];
  if (!isCapSetting(setting)) return undefined;
  const name = CAP_SETTINGS[setting];
  // 0 is no limit to ClickHouse.
  const isLower = Number(most) > 0 && Number(most) < caps[name];
  return isLower ? { ...caps, [name]: Number(most) } : undefined;
}

function isCapSetting(name: string): name is keyof typeof CAP_SETTINGS {
  return Object.hasOwn(CAP_SETTINGS, name);
}

function settingsOf({
  caps,
  settings,
}: Pick<Statement, 'caps' | 'settings'>): Readonly<Record<string, string | number>> {
  return {
    ...settings,
    ...READ_ONLY,
    max_execution_time: caps.seconds,
    timeout_overflow_mode: 'throw',
    max_memory_usage: caps.memoryBytes,
    max_rows_to_read: caps.readRows,
    max_bytes_to_read: caps.readBytes,
    read_overflow_mode: 'throw',
    log_queries: 1,
    log_comment: 'memprof run',
    wait_end_of_query: 1,
    send_progress_in_http_headers: 1,
    http_headers_progress_interval_ms: Math.max(
      MIN_PROGRESS_MS,
      Math.ceil((caps.seconds * 1000) / MAX_PROGRESS_HEADERS),
    ),
  };
}

/** A table, its parts, rows and marks a line; nothing for tables that keep no index. */
function sumOfRows(text: string): Count | undefined {
  const rows = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Number(line.split('\t')[3]));
  return rows.length === 0 || rows.some((count) => !Number.isFinite(count))
    ? undefined
    : rows.reduce((sum, count) => sum + count, 0);
}

interface Access {
  readonly target: ClickHouseTarget;
  readonly user: string;
  readonly password: string;
}

function accessTo(config: Config, name: string): Access {
  const target = targetOf(config, name);
  if (target.kind === 'clickhouse' && target.run !== undefined) return { target, ...target.run };
  throw new Failure('feature-off', { what: `The config does not let people run SQL on ${name}` });
}
