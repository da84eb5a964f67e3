import { type Job, type JobSchedulerJson, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { DigestJob, DigestSchedule } from '../digest-schedule.ts';
import type { Log, RunUnderWay, ScheduledDigest, Schedules } from '../ports.ts';
import type { EpochMillis, Milliseconds } from '../units.ts';
import { keysOf, QUEUE_NAME } from './keys.ts';
import { answerOf, redisFailure } from './redis.ts';

export interface SchedulesOptions {
  /** A fail-fast connection; it stays the caller's to close. */
  readonly redis: Redis;
  readonly prefix: string;
  readonly deadlineMs: Milliseconds;
  readonly log: Log;
}

const JOB_NAME = 'digest';
const DAY_SECONDS = 86_400;
/** A run that fails for what passes (Slack, the store) is tried again for about an hour. */
const ATTEMPTS = 60;
/** A scheduler whose next run is this long ago, with no job to show for it, has lost it. */
const LOST_AFTER_MS: Milliseconds = 300_000;

const jobOptions = {
  attempts: ATTEMPTS,
  backoff: { type: 'custom' },
  removeOnComplete: { age: 7 * DAY_SECONDS, count: 1000 },
  removeOnFail: { age: 30 * DAY_SECONDS, count: 1000 },
} as const;

/**
 * Digests over BullMQ's job schedulers. What people set up lies in a hash of our own; schedulers are only ever
 * upserted to follow it, so that many bots that start at once make one of each. A paused digest keeps its scheduler
 * (removing one and making it again can lose its job), and its runs do nothing.
 */
export function createSchedules(options: SchedulesOptions): Schedules & AsyncDisposable {
  const { redis, deadlineMs } = options;
  const { digests } = keysOf(options.prefix);
  const queue = new Queue(QUEUE_NAME, { connection: redis, prefix: options.prefix });
  queue.on('error', (error) => options.log.debug({ err: error }, 'schedules connection'));

  async function answer<T>(command: () => Promise<T>): Promise<T> {
    // BullMQ would wait for the connection; the one who typed should not.
    if (redis.status !== 'ready') {
      throw redisFailure('queue-unavailable', new Error(`the connection is ${redis.status}`));
    }
    return answerOf('queue-unavailable', deadlineMs, command());
  }

  async function read(): Promise<readonly DigestSchedule[]> {
    const found = Object.values(await redis.hgetall(digests));
    return found
      .map((json) => DigestSchedule.parse(JSON.parse(json)))
      .sort((a, b) => a.createdAtMicros - b.createdAtMicros || (a.id < b.id ? -1 : 1));
  }

  async function withNext(schedule: DigestSchedule): Promise<ScheduledDigest> {
    const next = (await queue.getJobScheduler(schedulerOf(schedule.id)))?.next;
    return next === undefined ? { schedule } : { schedule, nextAtMicros: next * 1000 };
  }

  return {
    put: (schedule) =>
      answer(async () => {
        // First what was wanted: a crash in between is mended from it.
        await redis.hset(digests, schedule.id, JSON.stringify(DigestSchedule.parse(schedule)));
        await upsert(queue, schedule);
      }),

    get: (id) =>
      answer(async () => {
        const json = await redis.hget(digests, id);
        return json === null ? undefined : withNext(DigestSchedule.parse(JSON.parse(json)));
      }),

    list: (channel) =>
      answer(async () => {
        const schedules = await read();
        const wanted = schedules.filter((one) => (channel ?? one.channel) === one.channel);
        return Promise.all(wanted.map(withNext));
      }),

    remove: (id) =>
      answer(async () => {
        const removed = await redis.hdel(digests, id);
        await queue.removeJobScheduler(schedulerOf(id));
        return removed === 1;
      }),

    runNow: ({ requestId, ...job }) =>
      answer(async () => {
        const jobId = `${schedulerOf(job.digestId)}-${requestId}`;
        const queued = await queue.add(JOB_NAME, DigestJob.parse(job), {
          ...{ ...jobOptions, jobId },
          // Until the job has ended, for good or not.
          deduplication: { id: `${schedulerOf(job.digestId)}-now` },
        });
        return queued.id === undefined || queued.id === jobId
          ? undefined
          : underWay(await queue.getJob(queued.id));
      }),

    mend: () => answer(async () => mendAll(queue, await read(), options.log)),

    [Symbol.asyncDispose]: () => queue.close(),
  };
}

/** It may have ended between two looks: what was asked for is then served by what it has just said. */
function underWay(job: Job | undefined): RunUnderWay {
  const { data } = DigestJob.safeParse(job?.data);
  return {
    askedAtMicros: (job?.timestamp ?? Date.now()) * 1000,
    ...(data?.askedBy === undefined ? {} : { askedBy: data.askedBy }),
  };
}

async function mendAll(
  queue: Queue,
  schedules: readonly DigestSchedule[],
  log: Log,
): Promise<readonly string[]> {
  const running = new Map((await queue.getJobSchedulers()).map((one) => [one.key, one]));
  const mended: string[] = [];
  for (const schedule of schedules) {
    const scheduler = running.get(schedulerOf(schedule.id));
    running.delete(schedulerOf(schedule.id));
    if (await isSound(queue, schedule, scheduler)) continue;
    log.warn({ digestId: schedule.id }, 'schedule of a digest was lost, made again');
    await upsert(queue, schedule);
    mended.push(schedule.id);
  }
  for (const key of running.keys()) {
    if (!key.startsWith(schedulerOf(''))) continue;
    log.warn({ scheduler: key }, 'schedule of no digest was left behind, removed');
    await queue.removeJobScheduler(key);
  }
  return mended;
}

/** A run in the past is sound while its job waits for somebody to take it up: it is late, not lost. */
async function isSound(
  queue: Queue,
  { cron, timeZone }: DigestSchedule,
  scheduler: JobSchedulerJson | undefined,
): Promise<boolean> {
  if (scheduler?.next === undefined) return false;
  if (scheduler.pattern !== cron || scheduler.tz !== timeZone) return false;
  if (scheduler.next > Date.now() - LOST_AFTER_MS) return true;
  return (await queue.getJob(jobIdOf(scheduler.key, scheduler.next))) !== undefined;
}

async function upsert(queue: Queue, { id, cron, timeZone }: DigestSchedule): Promise<void> {
  await queue.upsertJobScheduler(
    schedulerOf(id),
    { pattern: cron, tz: timeZone },
    { name: JOB_NAME, data: { digestId: id } satisfies DigestJob, opts: jobOptions },
  );
}

function schedulerOf(digestId: string): string {
  return `digest-${digestId}`;
}

/** As BullMQ names the jobs of a scheduler. */
function jobIdOf(schedulerId: string, dueAt: EpochMillis): string {
  return `repeat:${schedulerId}:${dueAt}`;
}
