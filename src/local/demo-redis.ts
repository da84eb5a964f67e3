import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Redis } from 'ioredis';
import { Failure } from '../failure.ts';
import type { Closers } from './closers.ts';
import { redisServer, requireProgram } from './programs.ts';
import { startRedis } from './redis.ts';

/** Where the demo's queue lives, and what all its keys begin with. */
export interface DemoRedis {
  readonly url: string;
  readonly prefix: string;
}

export interface DemoRedisOptions {
  readonly dataDir: string;
  /** One that runs already (REDIS_URL). */
  readonly url: string | undefined;
  readonly tell: (line: string) => void;
}

/** The Redis at REDIS_URL, of which nothing but keys of our own is touched, else a server of our own. */
export async function useRedis(options: DemoRedisOptions, closers: Closers): Promise<DemoRedis> {
  const { url, tell } = options;
  const prefix = `{memprof-demo-${randomBytes(3).toString('hex')}}`;
  if (url !== undefined && url !== '') {
    await requireAnswer(url);
    closers.add(() => removeKeys(url, prefix));
    tell(`Using the Redis at REDIS_URL, with keys under ${prefix}.`);
    return { url, prefix };
  }
  const program = await requireProgram(redisServer, tell);
  // Messages of an earlier run are gone with its workspace; so is what was queued for them.
  await rm(options.dataDir, { recursive: true, force: true });
  const redis = await startRedis({ program, dataDir: options.dataDir });
  closers.add(() => redis.stop());
  return { url: redis.url, prefix };
}

async function requireAnswer(url: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: 3000,
  });
  redis.on('error', () => {});
  try {
    await redis.connect();
    await redis.ping();
  } catch (cause) {
    throw new Failure('environment', {
      what: 'The Redis at REDIS_URL does not answer',
      why: cause instanceof Error ? cause.message : String(cause),
      fix: 'Start it, or unset REDIS_URL so that the demo starts one of its own',
      cause,
    });
  } finally {
    redis.disconnect();
  }
}

async function removeKeys(url: string, prefix: string): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1 });
  redis.on('error', () => {});
  try {
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 500 })) {
      if ((keys as string[]).length > 0) await redis.unlink(...(keys as string[]));
    }
  } finally {
    redis.disconnect();
  }
}
