import type { Capabilities } from '../../src/capabilities.ts';
import { Failure, toFailure } from '../../src/failure.ts';
import type { QueryRunner, RunCaps, RunPolicy } from '../../src/ports.ts';
import {
  readSyntaxTree,
  refused,
  requireHarmlessSelect,
  requireNothingHidden,
} from '../../src/select-statement.ts';
import type { Preflight } from '../../templates/message/run.ts';
import { runHistory } from '../../templates/sql/run-history.ts';
import { abilitiesOf } from '../abilities.ts';
import { createAsk } from '../ask.ts';
import { createGaps } from '../gaps.ts';
import type { JobContext } from '../job.ts';
import { readCapabilities } from '../probe.ts';
import { requireSources } from '../sources.ts';
import { capNames, capsInForce, type RunArgs, tooMuchAsked } from './words.ts';

const HISTORY_DAYS = 7;

export interface Runnable {
  readonly runner: QueryRunner;
  readonly policy: RunPolicy;
}

/** How statements are run on a target. Throws `feature-off` where the config does not allow it. */
export function requireRunner(target: string, context: JobContext): Runnable {
  const { runner } = requireSources(context);
  const policy = runner?.policy(target);
  if (runner !== undefined && policy !== undefined) return { runner, policy };
  throw new Failure('feature-off', {
    what: `The config does not let people run statements on ${target}`,
    why: 'that takes a read-only ClickHouse user of its own, beside the one of memprof',
    fix: `Ask whoever runs memprof to make that user and to set targets.${target}.run`,
    paste: `CREATE USER memprof_run IDENTIFIED BY '…' SETTINGS readonly = 2;\nGRANT SELECT ON <database>.* TO memprof_run;\n\nrun: { user: memprof_run, password: "\${MEMPROF_RUN_PASSWORD}" }`,
  });
}

/** Has the server read the statement without running it, and says what to expect. Throws `usage` for what is not run. */
export async function preflight(args: RunArgs, context: JobContext): Promise<Preflight> {
  const { target, sql } = args;
  const { runner, policy } = requireRunner(target, context);
  const wanted = capsInForce(args.caps, policy.caps);
  context.progress('reading the statement');
  const { caps, lowered } = await capsAllowed(runner, args, { wanted, signal: context.signal });
  await checkStatement(runner, args, context);
  const ask = createAsk(target, context, createGaps());
  const capabilities = await readCapabilities(ask);
  requireProfiler(target, capabilities);
  const expectedRows = await expectedRowsOf(runner, args, context);
  const [history] = (await ask('earlier runs', runHistory, { sql, days: HISTORY_DAYS })) ?? [];
  return {
    ...{ target, sql, caps, lowered, expectedRows, user: policy.user },
    earlier:
      history === undefined || history.runs === 0 ? undefined : { ...history, days: HISTORY_DAYS },
    samplingIntervalBytes: capabilities.samplingIntervalBytes,
  };
}

/**
 * Tried on the server before anybody is asked to approve: what its profile allows is the most. What the config gives by
 * itself is lowered to that; what a person asked for is not changed behind their back.
 */
async function capsAllowed(
  runner: QueryRunner,
  { target, caps: asked }: RunArgs,
  { wanted, signal }: { readonly wanted: RunCaps; readonly signal: AbortSignal },
): Promise<Pick<Preflight, 'caps' | 'lowered'>> {
  const caps = await runner.allowedCaps(target, wanted, { signal });
  const lowered = capNames.filter((name) => caps[name] < wanted[name]);
  const tooMuch = lowered.find((name) => asked[name] !== undefined);
  if (tooMuch === undefined) return { caps, lowered };
  throw tooMuchAsked(tooMuch, caps[tooMuch], 'the profile of the ClickHouse user');
}

/**
 * Only the server knows its grammar, so it reads the statement: as a subquery, which cannot have what belongs to a whole
 * query (FORMAT, INTO OUTFILE, a second statement), and alone, so that no bracket closes that subquery early.
 */
async function checkStatement(
  runner: QueryRunner,
  { target, sql }: RunArgs,
  { signal }: JobContext,
): Promise<void> {
  const outlineOf = async (text: string) =>
    readSyntaxTree(await runner.syntaxTree(target, text, { signal }));
  const inner = await outlineOf(`SELECT * FROM (${sql}\n)`).catch((thrown: unknown) => {
    if (toFailure(thrown).kind === 'usage') return undefined;
    throw thrown;
  });
  if (inner !== undefined) requireHarmlessSelect(inner);
  // Clauses at its end would hold for EXPLAIN too; what they could be is known to be harmless only now.
  const whole = await outlineOf(sql);
  requireHarmlessSelect(whole);
  requireNothingHidden(sql, whole);
  if (inner !== undefined) return;
  throw refused(
    'it has a FORMAT or INTO OUTFILE clause, or something after its end',
    'Leave that out: its rows are thrown away',
  );
}

function requireProfiler(target: string, capabilities: Capabilities): void {
  const ability = abilitiesOf(capabilities).find(({ verb }) => verb === 'run');
  // Where settings cannot be asked for, the server will say.
  if (ability?.works !== 'no' || capabilities.settings.size === 0) return;
  throw new Failure('feature-missing', {
    what: `${target} cannot sample the memory of one statement`,
    why: ability.says.join('. '),
    fix: `Ask heap ${target} for what is live now`,
  });
}

/** Undefined where the server cannot tell; a fault of the statement is told before it runs. */
async function expectedRowsOf(
  runner: QueryRunner,
  { target, sql }: RunArgs,
  { signal }: JobContext,
) {
  try {
    return await runner.estimateRows(target, sql, { signal });
  } catch (thrown) {
    const failure = toFailure(thrown);
    const isTold = ['query-timeout', 'memory-limit', 'server-error', 'feature-off'];
    if (isTold.includes(failure.kind)) return undefined;
    throw failure;
  }
}
