import type { Config } from '../../src/config.ts';
import type { DigestPlan } from '../../src/digest/digest.ts';
import { planDigest } from '../../src/digest/plan.ts';
import { DigestState } from '../../src/digest/state.ts';
import { targetsOf } from '../../src/digest/targets.ts';
import { DigestJob, type DigestSchedule } from '../../src/digest-schedule.ts';
import type { Failure } from '../../src/failure.ts';
import type { PlainData } from '../../src/investigation.ts';
import type { Investigations, JobDelivery, ProcessJob, Schedules, Store } from '../../src/ports.ts';
import type { DeliveryPorts } from '../delivery-context.ts';
import { readSteps, stepNames } from '../delivery-steps.ts';
import type { JobContext, JobPorts, Reply, TargetSummary } from '../job.ts';
import { lookAtTarget, lookAtTargets } from './look.ts';
import { postDigest } from './post.ts';
import { digestReply } from './reply.ts';
import { type DigestTurn, runIdOf } from './turn.ts';

export interface DigestRunnerOptions {
  readonly ports: JobPorts &
    DeliveryPorts & {
      readonly store: Store;
      readonly schedules: Schedules;
      readonly investigations: Investigations;
    };
  readonly targets: readonly TargetSummary[];
  readonly digests: Config['digests'];
}

/** Whether a job of the queue is a run of a digest; all others are requests of people. */
export function isDigestJob({ data }: JobDelivery): boolean {
  return DigestJob.safeParse(data).success;
}

/**
 * One run of a digest: looks at its servers, decides whether there is anything to say, says it, and remembers what
 * people saw. May be called again for the same turn at any moment; what was posted is not posted again.
 */
export function createDigestRunner(options: DigestRunnerOptions): ProcessJob {
  const { ports } = options;
  return async (delivery, signal) => {
    const { digestId, askedBy } = DigestJob.parse(delivery.data);
    const schedule = (await ports.schedules.get(digestId))?.schedule;
    if (schedule === undefined) return { outcome: 'removed' };
    // A paused digest keeps its turns and does nothing with them; being asked for it is another matter.
    if (schedule.isPaused && askedBy === undefined) return { outcome: 'paused' };
    const turn: DigestTurn = { schedule, delivery, askedBy, runId: runIdOf(digestId, delivery) };
    const steps = readSteps(await ports.deliveries.read(turn.runId));
    if (steps.end !== undefined) return { outcome: steps.end };
    return runTurn(options, turn, signal);
  };
}

async function runTurn(
  options: DigestRunnerOptions,
  turn: DigestTurn,
  signal: AbortSignal,
): Promise<PlainData> {
  const { ports } = options;
  const { schedule, runId } = turn;
  const about = { digestId: schedule.id, runId, attempt: turn.delivery.attempt };
  ports.log.info(about, 'digest taken up');
  let made: Promise<Made> | undefined;
  const make = () => {
    made ??= makeDigest(options, turn, signal);
    return made;
  };
  const { plan, reply } = await make();
  const { kind, fleet, unread, state } = plan;
  if (kind !== 'silent') {
    const failure = await postDigest(ports, turn, { reply, signal });
    await noteTrouble(ports.schedules, schedule, failure);
    if (failure !== undefined) {
      ports.log.warn({ ...about, err: failure }, 'digest could not be posted');
      await ports.deliveries.note(runId, stepNames.end, JSON.stringify('failed'));
      return { outcome: 'failed' };
    }
  }
  // Only now: people have seen it, or there was nothing to see.
  await ports.store.keepDigestState(schedule.id, state);
  await ports.deliveries.note(runId, stepNames.end, JSON.stringify('answered'));
  ports.log.info({ ...about, kind, read: fleet.length, unread: unread.length }, 'digest ended');
  return { outcome: kind };
}

interface Made {
  readonly plan: DigestPlan;
  readonly reply: Reply;
}

async function makeDigest(
  { ports, targets, digests }: DigestRunnerOptions,
  { schedule, delivery, runId, askedBy }: DigestTurn,
  signal: AbortSignal,
): Promise<Made> {
  const { store, clock } = ports;
  const state = await readState(ports, schedule.id);
  const context: JobContext = {
    ports,
    signal,
    investigationId: runId,
    askedBy: `<@${askedBy ?? schedule.createdBy}>`,
    progress: () => undefined,
  };
  const notKept: Failure[] = [];
  const looks = await lookAtTargets(
    targetsOf(schedule.targets, targets),
    digests.parallelism,
    (target) =>
      lookAtTarget(target, {
        ...{ store, context, timeoutMs: digests.targetTimeoutMs },
        onNotKept: (failure) => notKept.push(failure),
        ...(state === undefined ? {} : { sinceMicros: state.lastRunAtMicros }),
      }),
  );
  const { wasteMiB, wastePercent } = digests;
  const plan = planDigest({
    nowMicros: clock.nowMicros(),
    dueAtMicros: delivery.dueAtMicros,
    minChangeShare: schedule.minChangeShare,
    isAlwaysPosted: schedule.isAlwaysPosted || askedBy !== undefined,
    thresholds: {
      ...(wasteMiB === undefined ? {} : { wasteBytes: wasteMiB * 2 ** 20 }),
      ...(wastePercent === undefined ? {} : { wasteShare: wastePercent / 100 }),
    },
    looks,
    ...(state === undefined ? {} : { state }),
  });
  const reply = digestReply({
    ...{ plan, schedule, looks, dueAtMicros: delivery.dueAtMicros, investigationId: runId },
    ...(notKept[0] === undefined ? {} : { notKept: notKept[0] }),
    ...(digests.mention === undefined ? {} : { mention: digests.mention }),
    ...(askedBy === undefined ? {} : { askedBy: `<@${askedBy}>` }),
  });
  return { plan, reply };
}

/** A state that this memprof cannot read is none: the digest begins anew and says so by being the first. */
async function readState(
  { store, log }: DigestRunnerOptions['ports'],
  digestId: string,
): Promise<DigestState | undefined> {
  const kept = await store.digestState(digestId);
  if (kept === undefined) return undefined;
  const state = DigestState.safeParse(kept);
  if (state.success) return state.data;
  log.warn({ digestId, issues: state.error.issues }, 'state of a digest cannot be read');
  return undefined;
}

async function noteTrouble(
  schedules: Schedules,
  schedule: DigestSchedule,
  failure: Failure | undefined,
): Promise<void> {
  const trouble = failure?.message;
  if (trouble === schedule.trouble) return;
  // Somebody may have changed or removed it in the meantime.
  const now = (await schedules.get(schedule.id))?.schedule;
  if (now === undefined) return;
  const { trouble: _, ...bare } = now;
  await schedules.put(trouble === undefined ? bare : { ...bare, trouble });
}
