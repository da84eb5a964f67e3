import type { TargetLook } from '../../src/digest/digest.ts';
import { MEDIAN_READINGS } from '../../src/digest/trend.ts';
import { type Failure, toFailure } from '../../src/failure.ts';
import { formatBytes, formatDuration } from '../../src/format.ts';
import type { Store } from '../../src/ports.ts';
import type { Reading } from '../../src/reading.ts';
import type { Bytes, Count, EpochMicros, Milliseconds } from '../../src/units.ts';
import { highestPeaks } from '../../templates/sql/digest-peaks.ts';
import { createAsk } from '../ask.ts';
import { DEFAULT_MIN_AGE_NS } from '../frag.ts';
import { createGaps } from '../gaps.ts';
import type { JobContext } from '../job.ts';
import { measureWaste } from '../waste/measure.ts';
import { toReading } from '../waste/reading.ts';

export interface LookOptions {
  readonly store: Store;
  readonly context: JobContext;
  /** Longest time that one server may take. */
  readonly timeoutMs: Milliseconds;
  /** Peaks since then; absent at the first run. */
  readonly sinceMicros?: EpochMicros;
  /** A reading that the store had no room for; the digest goes on without keeping it. */
  readonly onNotKept: (failure: Failure) => void;
}

const PEAKS: Count = 20;
/** Peaks below this are no news to anybody. */
const SMALLEST_PEAK_BYTES: Bytes = 100 * 2 ** 20;
/** Where there is no run before. */
const FIRST_WINDOW_MICROS = 7 * 86_400e6;

/**
 * One server's part of a digest: read, kept, and put beside its earlier readings. A server that does not answer, or
 * not in time, is told of as such. Throws only when the whole run is to stop or the store is away.
 */
export async function lookAtTarget(target: string, options: LookOptions): Promise<TargetLook> {
  const { context, timeoutMs } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([context.signal, deadline]);
  try {
    const reading = await patiently({ ...context, signal }, (within) =>
      readTarget(target, options, within),
    );
    const history = await options.store.readings({
      ...{ target, kind: 'frag', beforeMicros: reading.atMicros },
      limit: MEDIAN_READINGS,
    });
    await options.store.keepReading(reading).catch((thrown: unknown) => {
      const failure = toFailure(thrown);
      if (failure.kind !== 'store-full') throw failure;
      options.onNotKept(failure);
    });
    return { kind: 'read', reading, history };
  } catch (thrown) {
    context.signal.throwIfAborted();
    const failure = toFailure(thrown);
    if (failure.kind === 'store-unavailable' || failure.kind === 'environment') throw failure;
    const why = deadline.aborted ? lateWords(target, timeoutMs) : failure.what;
    return { kind: 'unread', target, why };
  }
}

/** Waits between the looks at a server whose trouble may pass. */
const WAITS_MS: readonly Milliseconds[] = [1000, 3000];

/**
 * A server that refuses one moment is not dead: a connection that it closed while it was idle, or more queries than it
 * takes at a time, since those of a worker that was killed still run there.
 */
async function patiently<T>(
  context: JobContext,
  look: (context: JobContext) => Promise<T>,
): Promise<T> {
  const { signal, ports } = context;
  for (const waitMs of WAITS_MS) {
    try {
      return await look(context);
    } catch (thrown) {
      if (signal.aborted || !toFailure(thrown).retry || ports.pause === undefined) throw thrown;
    }
    await ports.pause(waitMs, signal);
  }
  return look(context);
}

async function readTarget(
  target: string,
  { sinceMicros }: LookOptions,
  context: JobContext,
): Promise<Reading> {
  const measurement = await untilAborted(
    context.signal,
    measureWaste({ target, minAgeNs: DEFAULT_MIN_AGE_NS }, context),
  );
  const ask = createAsk(target, context, createGaps());
  const peaks = await untilAborted(
    context.signal,
    ask('the highest peaks', highestPeaks, {
      sinceMicros: sinceMicros ?? measurement.readAtMicros - FIRST_WINDOW_MICROS,
      smallestBytes: SMALLEST_PEAK_BYTES,
      limit: PEAKS,
    }),
  );
  const { totalWasteBytes } = measurement.fragmentation.waste;
  return toReading(measurement, {
    investigationId: context.investigationId,
    finding: `${target} wastes ${formatBytes(totalWasteBytes)} in slabs.`,
    queryPeaks: peaks ?? [],
  });
}

/** Gives up on a server whose driver does not listen to the signal. */
function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function lateWords(target: string, timeoutMs: Milliseconds): string {
  return `${target} did not answer within ${formatDuration(timeoutMs)}`;
}

/** Looks at many servers, a few at a time: a slow one holds back nobody but itself. */
export async function lookAtTargets(
  targets: readonly string[],
  parallelism: Count,
  look: (target: string) => Promise<TargetLook>,
): Promise<readonly TargetLook[]> {
  const looks = new Array<TargetLook>(targets.length);
  let next = 0;
  const walk = async () => {
    while (next < targets.length) {
      const index = next;
      next += 1;
      looks[index] = await look(targets[index] as string);
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelism, targets.length) }, walk));
  return looks;
}
