import { Redis } from 'ioredis';
import { Failure } from '../failure.ts';
import type { Log } from '../ports.ts';
import type { Milliseconds } from '../units.ts';

/**
 * A connection that fails at once while Redis is away: somebody is waiting for the answer. An error that nobody
 * listens to would end the process, so it is logged here.
 */
export function connectFailFast(url: string, log: Log): Redis {
  return listen(new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0 }), log);
}

/** A connection that waits for Redis to come back, as a worker's must; commands are kept until then. */
export function connectPatient(url: string, log: Log): Redis {
  return listen(new Redis(url, { maxRetriesPerRequest: null }), log);
}

/** Waits for the first connection, but no longer than this: memprof starts without Redis too. */
export async function waitUntilReady(redis: Redis, timeoutMs: Milliseconds): Promise<boolean> {
  if (redis.status === 'ready') return true;
  return new Promise((resolve) => {
    const answer = (isReady: boolean) => {
      clearTimeout(timer);
      redis.off('ready', onReady);
      resolve(isReady);
    };
    const onReady = () => answer(true);
    const timer = setTimeout(() => answer(false), timeoutMs);
    redis.once('ready', onReady);
  });
}

/** Closes politely when Redis is there, and at once when it is not. */
export async function disconnect(redis: Redis): Promise<void> {
  if (redis.status === 'ready') await redis.quit().catch(() => undefined);
  redis.disconnect();
}

export type RedisFailureKind = 'queue-unavailable' | 'store-unavailable';

/**
 * The answer of Redis, or a failure when it does not come in time. A patient connection still sends the command
 * when Redis is back.
 */
export async function answerOf<T>(
  kind: RedisFailureKind,
  deadlineMs: Milliseconds,
  command: Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new LateAnswer(`it did not answer within ${deadlineMs} ms`)),
      deadlineMs,
    ).unref();
  });
  try {
    return await Promise.race([command, late]);
  } catch (cause) {
    // Loses the race: whatever comes of it later is of no interest.
    command.catch(() => undefined);
    throw redisFailure(kind, cause);
  } finally {
    clearTimeout(timer);
  }
}

/** The cause is for the log: it may name the address of Redis, which is not for the chat. */
export function redisFailure(kind: RedisFailureKind, cause: unknown): Failure {
  return new Failure(kind, {
    what:
      kind === 'queue-unavailable'
        ? 'The queue (Redis) cannot be reached, so no worker can take this up'
        : 'What memprof knows of its investigations (in Redis) cannot be reached',
    why: cause instanceof LateAnswer ? cause.message : 'it refuses connections or is just starting',
    fix: 'Try again in a minute; if it stays, whoever runs memprof should look at Redis',
    cause,
  });
}

class LateAnswer extends Error {
  override readonly name = 'LateAnswer';
}

function listen(redis: Redis, log: Log): Redis {
  let isAway = false;
  redis.on('error', (error) => {
    // ioredis repeats itself at each attempt to connect; one line is enough.
    if (!isAway) log.warn({ err: error }, 'redis is away');
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) log.info({}, 'redis is back');
    isAway = false;
  });
  return redis;
}
