import { Failure, toFailure } from '../../src/failure.ts';
import type { RunProgress } from '../../src/ports.ts';
import {
  approvalBlocks,
  approvalFinding,
  type Preflight,
  preflightLine,
  progressWords,
  ranBlocks,
  runningWords,
  whatRuns,
} from '../../templates/message/run.ts';
import { findFinishedQuery, findRunningQuery } from '../../templates/sql/peak-query.ts';
import type { JobContext, Reply } from '../job.ts';
import { investigatePeak } from '../peak.ts';
import { preflight, requireRunner } from './preflight.ts';
import type { RunArgs } from './words.ts';

/** Runs a statement once under the profiler and says what held its memory; or asks for approval first. */
export async function runStatement(args: RunArgs, context: JobContext): Promise<Reply> {
  const plan = await preflight(args, context);
  const { policy } = requireRunner(args.target, context);
  if (policy.needsApproval && args.approvedBy === undefined) return approvalReply(plan, context);
  const queryId = `memprof-run-${context.investigationId}`;
  const ran = (await ranBefore(args.target, queryId, context))
    ? { progress: undefined, stopped: undefined }
    : await run(plan, queryId, context);
  const peak = await peakOf(args.target, queryId, { stopped: ran.stopped, context });
  return withRun(peak, { ...args, plan, queryId }, ran);
}

interface Ran {
  readonly progress: RunProgress | undefined;
  /** A cap or the server's memory ended it; what it held until then is known. */
  readonly stopped: Failure | undefined;
}

const STAGE = 'running the statement';
const ENDED_BY_A_LIMIT = ['memory-limit', 'query-timeout', 'quota-exceeded'];

async function run(plan: Preflight, queryId: string, context: JobContext): Promise<Ran> {
  const { runner } = requireRunner(plan.target, context);
  context.progress(STAGE, preflightLine(plan));
  const statement = { sql: plan.sql, caps: plan.caps, queryId, settings: PROFILER };
  const asking = new AbortController();
  const signal = AbortSignal.any([context.signal, asking.signal]);
  askHowFar({ target: plan.target, queryId }, { ...context, signal }).catch(() => undefined);
  try {
    const progress = await runner.run(plan.target, statement, {
      signal: context.signal,
      onProgress: (progress) => {
        asking.abort();
        context.progress(STAGE, progressWords(progress));
      },
    });
    return { progress, stopped: undefined };
  } catch (thrown) {
    if (context.signal.aborted) throw thrown;
    const failure = toFailure(thrown);
    if (!ENDED_BY_A_LIMIT.includes(failure.kind)) throw failure;
    return { progress: undefined, stopped: failure };
  } finally {
    asking.abort();
  }
}

const ASK_EVERY_MS = 3000;

/** A proxy in between holds back the headers that tell progress: until one comes, the server is asked. */
async function askHowFar(
  { target, queryId }: { readonly target: string; readonly queryId: string },
  { ports, signal, progress }: JobContext,
): Promise<void> {
  while (ports.pause !== undefined) {
    await ports.pause(ASK_EVERY_MS, signal);
    const params = { query_id: queryId };
    const [row] = await ports.clickhouse.rows(target, findRunningQuery, params, { signal });
    if (row !== undefined) progress(STAGE, runningWords(row));
  }
}

const PROFILER = {
  jemalloc_enable_profiler: 1,
  jemalloc_collect_profile_samples_in_trace_log: 1,
} as const;

/** Exceptions of a query whose client went away: with its worker, say. Then it has to run again. */
const LOST_CLIENT: ReadonlySet<number> = new Set([24, 210, 394, 735]);
const DAY_S = 86_400;

/** Whether an earlier worker ran it to its end, so that a retry does not run it twice. */
async function ranBefore(
  target: string,
  queryId: string,
  { ports, signal }: JobContext,
): Promise<boolean> {
  const params = { query_id: queryId, span_s: DAY_S };
  const [row] = await ports.clickhouse.rows(target, findFinishedQuery, params, { signal });
  return row !== undefined && !LOST_CLIENT.has(row.exceptionCode);
}

/** When a limit ended it before there was anything to see, the limit is the answer. */
async function peakOf(
  target: string,
  queryId: string,
  { stopped, context }: { readonly stopped: Failure | undefined; readonly context: JobContext },
): Promise<Reply> {
  try {
    return await investigatePeak({ target, queryId }, context);
  } catch (thrown) {
    if (stopped === undefined || context.signal.aborted) throw thrown;
    throw new Failure(stopped.kind, {
      what: stopped.what,
      why: `${stopped.why ?? ''}; what it held until then cannot be told: ${toFailure(thrown).what}`,
      ...(stopped.fix === undefined ? {} : { fix: stopped.fix }),
      cause: stopped,
    });
  }
}

function withRun(
  peak: Reply,
  {
    plan,
    queryId,
    approvedBy,
  }: {
    readonly plan: Preflight;
    readonly queryId: string;
    readonly approvedBy?: string | undefined;
  },
  { progress, stopped }: Ran,
): Reply {
  const [finding, ...rest] = peak.head;
  const ran = ranBlocks({
    preflight: plan,
    progress,
    stopped: stopped?.why ?? stopped?.what,
    approvedBy: approvedBy === undefined ? undefined : `<@${approvedBy}>`,
  });
  return {
    ...peak,
    // The finding stays the first sentence.
    head: [...(finding === undefined ? [] : [finding]), ...ran, ...rest],
    json: {
      ...peak.json,
      run: {
        ...{ queryId, user: plan.user, statement: whatRuns(plan), caps: plan.caps },
        expectedRows: plan.expectedRows ?? null,
        readRows: progress?.readRows ?? null,
        readBytes: progress?.readBytes ?? null,
        stoppedBy: stopped?.code ?? null,
      },
    },
  };
}

function approvalReply(plan: Preflight, context: JobContext): Reply {
  if (context.place === undefined) {
    throw new Failure('not-allowed', {
      what: `A second person has to approve what is run on ${plan.target}`,
      why: `the config sets targets.${plan.target}.run.needsApproval, and nobody can approve in the shell`,
      fix: 'Ask for it in chat',
    });
  }
  const { investigationId, askedBy } = context;
  return {
    finding: approvalFinding(plan, askedBy),
    head: approvalBlocks(plan, { investigationId, askedBy }).blocks,
    tail: [],
    pictures: [],
    files: [],
    threadPictures: [],
    json: { needsApproval: true, target: plan.target, statement: whatRuns(plan) },
  };
}
