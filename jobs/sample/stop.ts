import { Failure, toFailure } from '../../src/failure.ts';
import type { Sampling, SamplingLease } from '../../src/ports.ts';
import {
  stoppedBlocks,
  stoppedFinding,
  type TargetSampling,
} from '../../templates/message/sample.ts';
import type { JobContext, Reply } from '../job.ts';
import { settle } from './settle.ts';

interface Wanted {
  readonly what: string;
  readonly target?: string | undefined;
}

/**
 * Lets leases end now and takes them off the servers at once. They are forgotten by the watch, which says their end in
 * their own threads: so nothing is lost when this worker dies in between.
 */
export async function stopSampling(
  wanted: Wanted,
  sampling: Sampling,
  context: JobContext,
): Promise<Reply> {
  const isAll = wanted.what.toLowerCase() === 'all';
  const leases = await sampling.leases.list();
  const ending = leases.filter((lease) => isMeant(lease, wanted, context));
  context.progress('switching sampling off');
  const nowMicros = context.ports.clock.nowMicros();
  for (const { id } of ending) await sampling.leases.shorten(id, nowMicros);
  // "all" is also for what is on without any lease that we know.
  const all = isAll && wanted.target === undefined ? sampling.targets : [];
  const targets = new Set([
    ...all,
    ...(wanted.target === undefined ? [] : [wanted.target]),
    ...ending.map(({ target }) => target),
  ]);
  if (ending.length === 0 && !isAll) throw nothingToStop(wanted, leases);
  const settled = await Promise.all(
    [...targets].map((target) => switchOff(target, sampling, context)),
  );
  return toReply(ending, settled, context);
}

/** By its user or role only one's own: two people's leases do not end each other. By its id, or all: anybody's. */
function isMeant(lease: SamplingLease, { what, target }: Wanted, context: JobContext): boolean {
  if (target !== undefined && lease.target !== target) return false;
  if (what.toLowerCase() === 'all' || lease.id === what.toLowerCase()) return true;
  return lease.grantee === what && lease.startedBy === context.askedBy;
}

function nothingToStop({ what, target }: Wanted, leases: readonly SamplingLease[]): Failure {
  const theirs = leases.filter(
    (lease) => lease.grantee === what && (target === undefined || lease.target === target),
  );
  return new Failure('not-found', {
    what: `You have no lease for ${what}${target === undefined ? '' : ` on ${target}`}`,
    ...(theirs.length === 0
      ? { why: 'nobody has one', fix: 'sample status shows what is sampled' }
      : {
          why: `others have: ${theirs.map(({ id, startedBy }) => `${id} by ${startedBy}`).join(', ')}`,
          fix: `Stop one of these by its id: sample stop ${theirs[0]?.id}`,
        }),
  });
}

async function switchOff(
  target: string,
  sampling: Sampling,
  { ports, signal }: JobContext,
): Promise<TargetSampling> {
  try {
    const checked = await settle(target, { ...ports, sampling }, { signal });
    return { target, checked, why: undefined };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return { target, checked: undefined, why: toFailure(thrown).message };
  }
}

function toReply(
  ended: readonly SamplingLease[],
  targets: readonly TargetSampling[],
  context: JobContext,
): Reply {
  const finding = stoppedFinding(ended, targets);
  return {
    finding,
    head: stoppedBlocks(finding, targets, context),
    tail: [],
    pictures: [],
    files: [],
    threadPictures: [],
    json: {
      ended: ended.map(({ id }) => id),
      targets: targets.map(({ target, checked, why }) => ({
        ...{ target, on: checked?.on ?? null, why: why ?? null },
      })),
    },
  };
}
