import { type Job, UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { Failure } from '../failure.ts';
import type { PlainData } from '../investigation.ts';
import type { Log, ProcessJob, StopReason } from '../ports.ts';
import type { EpochMillis, Milliseconds } from '../units.ts';
import { keysOf, QUEUE_NAME } from './keys.ts';
import { disconnect } from './redis.ts';

export interface ConsumerOptions {
  /** A patient connection; it stays the caller's to close. */
  readonly redis: Redis;
  readonly prefix: string;
  readonly concurrency: number;
  /** A worker that died is noticed after about this time. */
  readonly stalledAfterMs: Milliseconds;
  readonly process: ProcessJob;
  readonly log: Log;
}

export interface Consumer {
  isRunning(): boolean;
  /** Takes no more jobs, lets those that run finish until the deadline, then stops them: others take them over. */
  close(deadlineMs: Milliseconds): Promise<void>;
}

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;
/** After a stop was asked for, jobs get this long to end. */
const STOP_GRACE_MS = 2000;

export function createConsumer(options: ConsumerOptions): Consumer {
  const { redis, log, stalledAfterMs } = options;
  const worker = new Worker<unknown, PlainData>(
    QUEUE_NAME,
    // BullMQ makes a signal only for a function that declares three parameters.
    (job, _token, signal) => processOne(options, job, signal),
    {
      connection: redis,
      prefix: options.prefix,
      concurrency: options.concurrency,
      // A dead worker's job is found by the second check after its lock has run out.
      lockDuration: Math.ceil(stalledAfterMs / 2),
      stalledInterval: Math.ceil(stalledAfterMs / 4),
      // How often is too often is decided by the processor, which can tell people.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      runRetryDelay: FIRST_RETRY_MS,
      settings: { backoffStrategy: retryDelay },
    },
  );
  worker.on('error', (error) => log.debug({ err: error }, 'worker connection'));
  worker.on('stalled', (id) => log.warn({ jobId: id }, 'job of a lost worker is queued again'));
  worker.on('lockRenewalFailed', (ids) => {
    for (const id of ids) {
      log.warn({ jobId: id }, 'another worker has the job');
      worker.cancelJob(id, 'lost-lock' satisfies StopReason);
    }
  });
  const interrupts = listenForInterrupts(redis, options.prefix, (id) => {
    worker.cancelJob(id, 'cancelled' satisfies StopReason);
  });

  return {
    isRunning: () => worker.isRunning() && redis.status === 'ready',
    async close(deadlineMs) {
      const closed = worker.close();
      if (!(await endsWithin(closed, deadlineMs))) {
        worker.cancelAllJobs('shutdown' satisfies StopReason);
        await endsWithin(closed, STOP_GRACE_MS);
      }
      await disconnect(interrupts);
    },
  };
}

async function processOne(
  { process, log }: ConsumerOptions,
  job: Job<unknown, PlainData>,
  signal: AbortSignal | undefined,
): Promise<PlainData> {
  const attempt = job.attemptsMade + 1;
  try {
    return await process(
      {
        id: job.id ?? '',
        data: job.data,
        attempt,
        isLastAttempt: attempt >= (job.opts.attempts ?? 1),
        interruptions: job.stalledCounter,
        dueAtMicros: dueAtMillis(job) * 1000,
      },
      signal ?? new AbortController().signal,
    );
  } catch (thrown) {
    if (!(thrown instanceof Failure)) {
      log.error({ err: thrown, jobId: job.id }, 'job failed unexpectedly');
      throw thrown;
    }
    log.warn({ err: thrown, jobId: job.id, attempt }, 'job failed');
    if (thrown.retry) throw thrown;
    throw new UnrecoverableError(thrown.message);
  }
}

/** A scheduled job knows its moment; any other one was due when it was queued. */
function dueAtMillis({ opts, timestamp }: Job): EpochMillis {
  return opts.prevMillis ?? timestamp + (opts.delay ?? 0);
}

/** 1 s, 2 s, 4 s … at most a minute, a tenth more or less so that what failed together does not come back together. */
function retryDelay(attemptsMade: number): Milliseconds {
  const delayMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.max(0, attemptsMade - 1));
  return Math.round(delayMs * (0.9 + Math.random() * 0.2));
}

function listenForInterrupts(
  redis: Redis,
  prefix: string,
  onInterrupt: (id: string) => void,
): Redis {
  const subscriber = redis.duplicate();
  // The connection it is a copy of says so already.
  subscriber.on('error', () => undefined);
  subscriber.on('message', (_channel, id: string) => onInterrupt(id));
  subscriber.subscribe(keysOf(prefix).interrupts).catch(() => undefined);
  return subscriber;
}

async function endsWithin(promise: Promise<void>, timeoutMs: Milliseconds): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const ended = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return ended;
}
