import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { redisServer, requireProgram } from '../../src/local/programs.ts';
import { type LocalRedis, startRedis } from '../../src/local/redis.ts';

export interface TestRedis extends AsyncDisposable {
  readonly url: string;
  /** A connection for the test's own questions. */
  readonly client: Redis;
  /** Kills the server as a power cut would. */
  crash(): Promise<void>;
  /** Starts it again on the same port with the data it had. */
  restart(): Promise<void>;
}

/** A Redis of this test alone, in a folder of its own, gone after the test. */
export async function startTestRedis(): Promise<TestRedis> {
  const dataDir = await mkdtemp(join(tmpdir(), 'memprof-test-redis-'));
  const program = await requireProgram(redisServer, () => undefined);
  let server: LocalRedis = await startRedis({ program, dataDir });
  const { port, url } = server;
  const client = new Redis(url, { maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  return {
    url,
    client,
    crash: () => server.crash(),
    restart: async () => {
      server = await startRedis({ program, dataDir, port });
    },
    [Symbol.asyncDispose]: async () => {
      client.disconnect();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A prefix that no other test uses. */
export function freshPrefix(): string {
  return `{test-${randomBytes(6).toString('hex')}}`;
}
