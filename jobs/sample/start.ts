import { Failure, type FailureKind, toFailure } from '../../src/failure.ts';
import { formatUtc } from '../../src/format.ts';
import type { ClickHouse, Sampling, SamplingLease } from '../../src/ports.ts';
import { isInForce } from '../../src/sampling-lease.ts';
import { startedBlocks, startedFinding } from '../../templates/message/sample.ts';
import type { JobContext, Reply } from '../job.ts';
import { requireGrants } from './grants.ts';
import { requirePolicy, settle } from './settle.ts';

interface Wanted {
  readonly target: string;
  readonly grantee: string;
  readonly minutes: number;
}

const MINUTE_MICROS = 60e6;
const CLEANUP_MS = 10_000;

/** Switches sampling on, with its end written down first. Asked again for the same investigation, it goes on. */
export async function startSampling(
  wanted: Wanted,
  sampling: Sampling,
  context: JobContext,
): Promise<Reply> {
  const profile = requireAllowed(wanted, sampling);
  const { signal } = context;
  context.progress('asking what memprof may do there');
  await requireGrants(wanted.target, profile, context);
  context.progress('writing down when it ends');
  const fresh = toLease({ ...wanted, profile }, context);
  const lease = await sampling.leases.put(fresh);
  // What another worker began may have had an effect already.
  const told = tellApart(context.ports.clickhouse, lease.startedAtMicros !== fresh.startedAtMicros);
  const ports = { ...context.ports, clickhouse: told.clickhouse, sampling };
  try {
    requireInForce(lease, context);
    context.progress('switching sampling on');
    await settle(lease.target, ports, { signal, add: lease.grantee });
    await sampling.leases.confirm(lease.id);
    context.progress('reading back');
    // Once more: another worker may have written while this lease was not confirmed.
    const settled = await settle(lease.target, ports, { signal });
    if (!settled.on.includes(lease.grantee)) requireInForce(lease, context, 'stopped');
    const leases = await sampling.leases.list();
    const others = leases.filter(({ id, target }) => id !== lease.id && target === lease.target);
    return startedReply(lease, settled, { others, context });
  } catch (thrown) {
    await takeBack(lease, sampling, { ...context, hasEffect: told.hasEffect() });
    throw thrown;
  }
}

/** Kinds with which a server says that it did not carry out a statement. */
const REFUSALS: ReadonlySet<FailureKind> = new Set([
  ...['grant-missing', 'target-denied', 'feature-off', 'feature-missing'],
  ...['not-found', 'setting-refused', 'quota-exceeded'],
] as const satisfies FailureKind[]);

/** Notes whether any statement may have been carried out. */
function tellApart(clickhouse: ClickHouse, hadEffect: boolean) {
  let hasEffect = hadEffect;
  const watched: ClickHouse = {
    rows: (...args) => clickhouse.rows(...args),
    bytes: (...args) => clickhouse.bytes(...args),
    async statement(...args) {
      try {
        const answer = await clickhouse.statement(...args);
        hasEffect = true;
        return answer;
      } catch (thrown) {
        hasEffect ||= !REFUSALS.has(toFailure(thrown).kind);
        throw thrown;
      }
    },
  };
  return { clickhouse: watched, hasEffect: () => hasEffect };
}

/** The settings profile to use. */
function requireAllowed({ target, grantee, minutes }: Wanted, sampling: Sampling): string {
  const policy = requirePolicy(target, sampling);
  if (!policy.grantees.includes(grantee)) {
    throw new Failure('usage', {
      what: `${grantee} may not be sampled on ${target}`,
      why: `the config allows ${policy.grantees.join(', ')}`,
      fix: 'Name one of these, or have the config changed',
    });
  }
  if (minutes >= 1 && minutes <= policy.maxMinutes) return policy.profile;
  throw new Failure('usage', {
    what: `Sampling on ${target} takes from 1 to ${policy.maxMinutes} minutes, not ${minutes}`,
    why: `the config sets maxMinutes to ${policy.maxMinutes}: samples fill trace_log and cost time`,
    fix: `Write it like sample start ${grantee} ${Math.min(10, policy.maxMinutes)} on:${target}`,
  });
}

function toLease(
  { target, grantee, minutes, profile }: Wanted & { readonly profile: string },
  context: JobContext,
): SamplingLease {
  const { place, ports, investigationId, askedBy } = context;
  if (place === undefined) {
    throw new Failure('environment', { what: 'sample start works in chat only' });
  }
  const nowMicros = ports.clock.nowMicros();
  return {
    ...{ id: investigationId, target, profile, grantee, startedBy: askedBy, place },
    startedAtMicros: nowMicros,
    endsAtMicros: nowMicros + Math.round(minutes * MINUTE_MICROS),
    isConfirmed: false,
  };
}

/** A retry may come long after. */
function requireInForce(
  lease: SamplingLease,
  { ports }: JobContext,
  how: 'over' | 'stopped' = 'over',
): void {
  if (how === 'over' && isInForce(lease, ports.clock.nowMicros())) return;
  throw new Failure('interrupted', {
    what: `Sampling of ${lease.grantee} on ${lease.target} was ${how === 'over' ? 'to end before it could be switched on' : 'stopped while it was switched on'}`,
    why: `its lease ran until ${formatUtc(lease.endsAtMicros)}`,
    fix: 'Ask for it again',
  });
}

/**
 * What failed or was cancelled leaves nothing on; should this fail too, the watch ends it. Where the server refused each
 * statement, there is nothing to end.
 */
async function takeBack(
  { id, target }: SamplingLease,
  sampling: Sampling,
  { ports, hasEffect }: Pick<JobContext, 'ports'> & { readonly hasEffect: boolean },
): Promise<void> {
  try {
    if (!hasEffect) return await sampling.leases.remove(id);
    await sampling.leases.shorten(id, ports.clock.nowMicros());
    await settle(target, { ...ports, sampling }, { signal: AbortSignal.timeout(CLEANUP_MS) });
  } catch (thrown) {
    // The failure that brought us here is the one to tell.
    toFailure(thrown);
  }
}

function startedReply(
  lease: SamplingLease,
  settled: Parameters<typeof startedFinding>[1],
  { others, context }: { readonly others: readonly SamplingLease[]; readonly context: JobContext },
): Reply {
  return {
    finding: startedFinding(lease, settled),
    head: startedBlocks(lease, settled, others, context),
    tail: [],
    pictures: [],
    files: [],
    threadPictures: [],
    json: {
      target: lease.target,
      grantee: lease.grantee,
      endsAt: new Date(lease.endsAtMicros / 1000).toISOString(),
      on: settled.on,
    },
  };
}
