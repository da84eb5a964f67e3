import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startHealthServer } from '../src/health.ts';
import { silentLog } from './support/silent-log.ts';

const require = createRequire(import.meta.url);
const root = dirname(require.resolve('#package'));
const manifest: {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const text = readFileSync(join(root, 'Dockerfile'), 'utf8');
const lines = text.replace(/\\\n/g, ' ').split('\n');
const finalStage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

describe('the Dockerfile', () => {
  it('copies only what is there', () => {
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(/\s+/).slice(1, -1));
    expect(copied.length).toBeGreaterThan(3);
    for (const path of copied) expect(existsSync(join(root, path)), path).toBe(true);
  });

  it('runs only scripts and files that exist', () => {
    for (const [, script] of text.matchAll(/npm run ([\w:-]+)/g)) {
      expect(Object.keys(manifest.scripts)).toContain(script);
    }
    const entries = [...text.matchAll(/dist\/(src\/[\w/-]+)\.js/g)].map(([, path]) => `${path}.ts`);
    expect(entries).toEqual(
      expect.arrayContaining(['src/bot.ts', 'src/worker.ts', 'src/health-check.ts']),
    );
    for (const path of entries) expect(existsSync(join(root, path)), path).toBe(true);
  });

  it('ends with production dependencies alone, as a user who is not root, with a health check', () => {
    expect(finalStage.join('\n')).toContain('npm ci --omit=dev');
    expect(finalStage).toContain('USER node');
    expect(finalStage.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true);
    expect(Object.keys(manifest.dependencies)).not.toContain('chdb');
  });
});

describe('the health check of the image', () => {
  async function check(healthPort: number): Promise<number> {
    const folder = await mkdtemp(join(tmpdir(), 'memprof-test-health-'));
    try {
      await writeFile(join(folder, 'memprof.yaml'), `healthPort: ${healthPort}\n`);
      const child = spawn(
        process.execPath,
        [new URL(import.meta.resolve('#dist/src/health-check.js')).pathname],
        { stdio: 'ignore', env: { MEMPROF_CONFIG: join(folder, 'memprof.yaml') } },
      );
      const [code] = await once(child, 'exit');
      return code;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  it('passes while the process is healthy, fails when it is not and when it is gone', async () => {
    let isReady = true;
    const server = await startHealthServer(0, { redis: () => isReady }, silentLog);
    expect(await check(server.port)).toBe(0);
    isReady = false;
    expect(await check(server.port)).toBe(1);
    await server[Symbol.asyncDispose]();
    expect(await check(server.port)).toBe(1);
  });
});
