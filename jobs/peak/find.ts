import { Failure, toFailure } from '../../src/failure.ts';
import { formatBytes, formatDuration, formatUtc } from '../../src/format.ts';
import type { Bytes, Count, EpochMicros, Milliseconds } from '../../src/units.ts';
import {
  findFinishedQuery,
  findRunningQuery,
  queryLogSpan,
} from '../../templates/sql/peak-query.ts';
import type { JobContext } from '../job.ts';

/** A query that has ended, as query_log tells it. */
export interface FoundQuery {
  readonly queryId: string;
  /** Ids whose samples are its own: itself, or, where only parts of it ran, those. */
  readonly sampledIds: readonly string[];
  /** QueryFinish, ExceptionWhileProcessing, ExceptionBeforeStart. */
  readonly ending: string;
  readonly exceptionCode: number;
  readonly user: string;
  readonly startMicros: EpochMicros;
  readonly durationMs: Milliseconds;
  /** The peak that the server counted; of parts the sum, which is an upper bound. */
  readonly serverPeakBytes: Bytes;
  /** Without its literals. */
  readonly statement: string;
  /** normalized_query_hash, decimal. */
  readonly hash: string;
  readonly isCollected: boolean;
  readonly sampleProbability: number | undefined;
  readonly runs: Count;
  readonly notes: readonly string[];
}

type Row = ReturnType<(typeof findFinishedQuery.row)['parse']>;

const RECENT_S = 2 * 86_400;
const EVER_S = 20 * 365 * 86_400;
/** Logs are written every 7.5 s unless the config says otherwise. */
const LOG_FLUSH_MS = 8000;
const LOOK_AGAIN_MS = 2000;

/** Finds the latest run of a query. Throws `still-running`, or `not-found` with where it looked. */
export async function findQuery(
  target: string,
  queryId: string,
  context: JobContext,
): Promise<FoundQuery> {
  const recent = await look(target, { queryId, spanS: RECENT_S }, context);
  const running = recent.length === 0 && (await isRunning(target, queryId, context));
  const isSettled = recent[0] !== undefined && endMicros(recent[0]) < settledBefore(context);
  if (isSettled) return toQuery(queryId, recent);
  if (running) throw running;

  context.progress('waiting for the logs of the server');
  const flush = await flushLogs(target, context);
  if (flush !== undefined) await waitForLogs(recent[0], { target, queryId }, context);
  const rows = await look(target, { queryId, spanS: EVER_S }, context);
  if (rows.length === 0) throw await notFound(target, queryId, { flush, context });
  return toQuery(queryId, rows);
}

function look(
  target: string,
  { queryId, spanS }: { readonly queryId: string; readonly spanS: number },
  { ports, signal }: JobContext,
): Promise<readonly Row[]> {
  const params = { query_id: queryId, span_s: spanS };
  return ports.clickhouse.rows(target, findFinishedQuery, params, { signal });
}

function endMicros({ startMicros, durationMs }: Row): EpochMicros {
  return startMicros + durationMs * 1000;
}

/** Whatever ended before this has its samples in the log. */
function settledBefore({ ports }: JobContext): EpochMicros {
  return ports.clock.nowMicros() - 2 * LOG_FLUSH_MS * 1000;
}

/** Undefined when the server wrote its logs; else why it would not. */
async function flushLogs(
  target: string,
  { ports, signal }: JobContext,
): Promise<Failure | undefined> {
  try {
    await ports.clickhouse.statement(target, 'SYSTEM FLUSH LOGS', { signal });
    return undefined;
  } catch (thrown) {
    const failure = toFailure(thrown);
    const isRefusal = ['grant-missing', 'setting-refused', 'feature-off', 'query-timeout'];
    if (!isRefusal.includes(failure.kind)) throw failure;
    return failure;
  }
}

/** Without the privilege to flush, the server's own turn is waited for. */
async function waitForLogs(
  known: Row | undefined,
  { target, queryId }: { readonly target: string; readonly queryId: string },
  context: JobContext,
): Promise<void> {
  const { clock, pause } = context.ports;
  const untilMicros = clock.nowMicros() + LOG_FLUSH_MS * 1000;
  while (pause !== undefined && clock.nowMicros() < untilMicros) {
    await pause(LOOK_AGAIN_MS, context.signal);
    // Its samples can come a turn later than its own line.
    if (known !== undefined) continue;
    if ((await look(target, { queryId, spanS: RECENT_S }, context)).length > 0) return;
  }
}

async function isRunning(
  target: string,
  queryId: string,
  { ports, signal }: JobContext,
): Promise<Failure | undefined> {
  const [row] = await ports.clickhouse
    .rows(target, findRunningQuery, { query_id: queryId }, { signal })
    .catch((thrown: unknown) => {
      if (toFailure(thrown).kind === 'grant-missing') return [];
      throw thrown;
    });
  if (row === undefined) return undefined;
  return new Failure('still-running', {
    what: `Query ${queryId} still runs on ${target}, for ${formatDuration(row.elapsedMs)} so far`,
    why: `it holds ${formatBytes(row.liveBytes)} now and ${formatBytes(row.peakBytes)} at its peak; where the peak came from can be told when it has ended`,
    fix: 'Ask again when it has ended',
  });
}

async function notFound(
  target: string,
  queryId: string,
  { flush, context }: { readonly flush: Failure | undefined; readonly context: JobContext },
): Promise<Failure> {
  const { ports, signal } = context;
  const [span] = await ports.clickhouse.rows(
    target,
    queryLogSpan,
    { query_id: queryId },
    { signal },
  );
  const kept =
    span === undefined || span.entries === 0
      ? 'query_log is empty there'
      : `query_log goes back to ${formatUtc(span.oldestMicros)}`;
  const started =
    span !== undefined && span.starts > 0
      ? '; it has its start but no end, as when the server was restarted under it'
      : '';
  const flushed =
    flush === undefined
      ? 'its logs were flushed first'
      : `its logs could not be flushed (${flush.why ?? flush.what}), so memprof waited for them`;
  return new Failure('not-found', {
    what: `${target} knows no query ${queryId}`,
    why: `memprof looked in system.query_log and system.processes, by query_id and initial_query_id; ${flushed}; ${kept}${started}`,
    fix: 'Check the id, and name the server it ran on with on:<target>',
    ...(flush?.paste === undefined ? {} : { paste: flush.paste }),
  });
}

function toQuery(queryId: string, rows: readonly Row[]): FoundQuery {
  const own = rows.filter((row) => row.queryId === queryId);
  const [first] = own.length > 0 ? own : rows;
  if (first === undefined) throw new Error('a query without rows');
  const parts = own.length > 0 ? [first] : latestParts(rows);
  const startMicros = Math.min(...parts.map((part) => part.startMicros));
  const until = Math.max(...parts.map(endMicros));
  return {
    queryId,
    sampledIds: [...new Set(parts.map((part) => part.queryId))],
    ending: first.ending,
    exceptionCode: first.exceptionCode,
    user: first.user,
    startMicros,
    durationMs: (until - startMicros) / 1000,
    serverPeakBytes: parts.reduce((sum, part) => sum + part.memoryBytes, 0),
    statement: first.statement,
    hash: first.hash,
    isCollected: parts.some(({ isCollected }) => isCollected),
    sampleProbability: first.sampleProbability,
    runs: first.runs,
    notes: notesOf({ own, parts, rows }),
  };
}

/** The parts of the latest run: all that began within the time of the one that ended last. */
function latestParts(rows: readonly Row[]): readonly Row[] {
  const last = rows.reduce((a, b) => (endMicros(b) > endMicros(a) ? b : a));
  return rows.filter((row) => endMicros(row) >= last.startMicros);
}

function notesOf({
  own,
  parts,
  rows,
}: Readonly<Record<'own' | 'parts' | 'rows', readonly Row[]>>): readonly string[] {
  const runs = own[0]?.runs ?? 1;
  const others = rows.length - own.length;
  return [
    ...(runs > 1 ? [`The id was used for ${runs} runs; this is the latest`] : []),
    ...(own.length === 0
      ? [
          `Only ${parts.length === 1 ? 'a part' : `${parts.length} parts`} of a distributed query ran here; the server's own peaks are added up, though they need not coincide`,
        ]
      : []),
    ...(own.length > 0 && others > 0
      ? [`${others} parts of it ran here under other ids and are not in these figures`]
      : []),
  ];
}
