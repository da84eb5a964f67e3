import { Redis } from 'ioredis';
import type { Clock, Log } from '../../ports.ts';
import type { Bytes, Count, EpochMicros, Milliseconds } from '../../units.ts';
import { answerOf, beyondBudget, newerSchema, storeFull } from '../store-failure.ts';
import { requireRoom } from './memory.ts';

export interface RedisStoreOptions {
  readonly url: string;
  /** In braces, and none that the queue uses: "{memprof-store}". */
  readonly prefix: string;
  /** What readings and profiles may take up. */
  readonly budgetBytes: Bytes;
  readonly profileDays: Count;
  /** How long a caller waits for Redis. */
  readonly deadlineMs: Milliseconds;
  readonly clock: Clock;
  readonly log: Log;
}

/** The store's own connection, its place in Redis, and how it asks and writes. */
export interface StoreConnection extends AsyncDisposable {
  readonly redis: Redis;
  readonly prefix: string;
  readonly place: string;
  /** Profiles from before this moment are as good as gone. */
  oldestMicros(): EpochMicros;
  /** In time, or `store-unavailable`. */
  ask<T>(command: () => Promise<T>): Promise<T>;
  /** Runs a script of `scripts.ts`; the prefix is its first argument. */
  run(script: string, ...args: readonly (string | number | Buffer)[]): Promise<unknown>;
  /** Writes by a script that answers 1 when it did; throws `store-full` when it may not or did not. */
  keep(
    needBytes: Bytes,
    script: string,
    ...args: readonly (string | number | Buffer)[]
  ): Promise<void>;
}

const SCHEMA_VERSION = 1;
const DAY_MICROS = 86_400e6;

export function openConnection(options: RedisStoreOptions): StoreConnection {
  const { prefix, deadlineMs } = options;
  const redis = connect(options);
  const { host, port } = redis.options;
  const place = `Redis at ${host}:${port}`;
  const checkSchema = once(() => requireKnownSchema(redis, prefix, place));
  const ask: StoreConnection['ask'] = (command) =>
    answerOf(place, deadlineMs, checkSchema().then(command));
  const run: StoreConnection['run'] = (script, ...args) => redis.eval(script, 0, prefix, ...args);
  return {
    redis,
    prefix,
    place,
    oldestMicros: () => options.clock.nowMicros() - options.profileDays * DAY_MICROS,
    ask,
    run,
    async keep(needBytes, script, ...args) {
      const isKept = await ask(async () => {
        requireRoom(await redis.info('memory'), needBytes, place);
        return run(script, ...args).catch(refusedForMemory(place));
      });
      if (isKept !== 1) throw beyondBudget(place, needBytes, options.budgetBytes);
    },
    [Symbol.asyncDispose]: async () => {
      if (redis.status === 'ready') await redis.quit().catch(() => undefined);
      redis.disconnect();
    },
  };
}

/** Waits for a short absence of Redis, but not for ever; one line in the log tells of it. */
function connect({ url, log }: RedisStoreOptions): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 2,
    connectTimeout: 5000,
    lazyConnect: true,
  });
  let isAway = false;
  redis.on('error', (error) => {
    if (!isAway) log.warn({ err: error }, 'store is away');
    isAway = true;
  });
  redis.on('ready', () => {
    isAway = false;
  });
  return redis;
}

async function requireKnownSchema(redis: Redis, prefix: string, place: string): Promise<void> {
  await redis.setnx(`${prefix}:schema`, SCHEMA_VERSION);
  const found = Number(await redis.get(`${prefix}:schema`));
  if (found > SCHEMA_VERSION) throw newerSchema(place, found, SCHEMA_VERSION);
}

/** With noeviction, Redis refuses what would not fit; nothing of the queue was touched. */
function refusedForMemory(place: string): (thrown: unknown) => never {
  return (thrown) => {
    if (thrown instanceof Error && /\bOOM\b/.test(thrown.message)) {
      throw storeFull(
        place,
        'its Redis has reached maxmemory',
        'Give Redis more memory, or give the store a Redis of its own in store.url',
      );
    }
    throw thrown;
  };
}

/** The same promise to all callers, made anew after a failure. */
function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= action().catch((thrown: unknown) => {
      running = undefined;
      throw thrown;
    });
    return running;
  };
}
