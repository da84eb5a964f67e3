import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProgram, redisServer, requireProgram } from '../../src/local/programs.ts';
import { startRedis } from '../../src/local/redis.ts';

let dataDir: string;
let program: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'memprof-redis-'));
  program = await requireProgram(redisServer, () => {});
});
afterEach(() => rm(dataDir, { recursive: true }));

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('startRedis', () => {
  it('runs with the settings that a queue needs and is gone after stop', async () => {
    const redis = await startRedis({ program, dataDir });
    const client = new Redis(redis.url);
    expect(await client.config('GET', 'maxmemory-policy')).toContain('noeviction');
    expect(await client.config('GET', 'appendonly')).toContain('yes');
    await client.quit();
    await redis.stop();
    expect(isAlive(redis.pid)).toBe(false);
  });

  it('keeps what it acknowledged when it is stopped and started again', async () => {
    const first = await startRedis({ program, dataDir });
    const writer = new Redis(first.url);
    await writer.set('kept', 'yes');
    await writer.quit();
    await first.stop();
    await using second = await startRedis({ program, dataDir });
    const reader = new Redis(second.url);
    expect(await reader.get('kept')).toBe('yes');
    await reader.quit();
    expect(await readdir(dataDir)).toEqual(['appendonlydir']);
  });

  it('is gone when the process that started it is killed', async () => {
    const script = `import { startRedis } from ${JSON.stringify(import.meta.resolve('#dist/src/local/redis.js'))};
      const redis = await startRedis(${JSON.stringify({ program, dataDir })});
      console.log(redis.pid);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script]);
    const [line] = await once(parent.stdout, 'data');
    const pid = Number(line);
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false);
  });

  it('says what is wrong when its port is taken', async () => {
    await using first = await startRedis({ program, dataDir });
    await expect(startRedis({ program, dataDir, port: first.port })).rejects.toThrow(
      new RegExp(`did not start on port ${first.port}.*REDIS_URL`),
    );
  });
});

describe('findProgram', () => {
  it('finds nothing where there is nothing', async () => {
    expect(await findProgram({ ...redisServer, names: ['no-such-program-here'] })).toBeUndefined();
  });
});

describe('requireProgram', () => {
  it('prints one command for each kind of system when it cannot install', async () => {
    const absent = { ...redisServer, names: ['no-such-program'], debian: 'no-such-package-xyz' };
    const failure = await requireProgram(absent, () => {}).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({
      kind: 'environment',
      paste: expect.stringMatching(/apt-get install.*\n.*dnf install.*\nbrew install/),
    });
  });
});
