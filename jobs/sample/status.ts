import { toFailure } from '../../src/failure.ts';
import type { Sampling } from '../../src/ports.ts';
import {
  statusBlocks,
  statusFinding,
  statusTail,
  type TargetSampling,
} from '../../templates/message/sample.ts';
import type { JobContext, Reply } from '../job.ts';
import { readSampled } from './settle.ts';

/** All leases of all targets, beside what each server says itself. */
export async function samplingStatus(sampling: Sampling, context: JobContext): Promise<Reply> {
  context.progress('asking each server');
  const leases = await sampling.leases.list();
  const targets = await Promise.all(
    sampling.targets.map((target) => lookAt(target, sampling, context)),
  );
  const finding = statusFinding(leases, targets);
  const isAnyOn = targets.some(({ checked }) => checked === undefined || checked.on.length > 0);
  return {
    finding,
    head: statusBlocks(finding, leases, targets),
    tail: statusTail(leases.length > 0 || isAnyOn, context),
    pictures: [],
    files: [],
    threadPictures: [],
    json: {
      leases: leases.map(({ id, target, grantee, endsAtMicros, startedBy }) => ({
        ...{ id, target, grantee, startedBy },
        endsAt: new Date(endsAtMicros / 1000).toISOString(),
      })),
      targets: targets.map(({ target, checked, why }) => ({
        ...{ target, on: checked?.on ?? null, why: why ?? null },
      })),
    },
  };
}

async function lookAt(
  target: string,
  sampling: Sampling,
  { ports, signal }: JobContext,
): Promise<TargetSampling> {
  try {
    const checked = await readSampled(target, { ...ports, sampling }, signal);
    return { target, checked, why: undefined };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return { target, checked: undefined, why: toFailure(thrown).message };
  }
}
