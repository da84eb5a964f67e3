import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { startEngine } from '../../../src/local/clickhouse/engine.ts';
import { eventually } from '../../support/eventually.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'memprof-test-life-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('the life of the embedded engine', () => {
  it('goes on with its data after a crash', async () => {
    await using engine = await startEngine({ dataDir: folder });
    await engine.client.run('CREATE TABLE default.kept (n UInt8) ENGINE = MergeTree ORDER BY n');
    await engine.client.run('INSERT INTO default.kept VALUES (7)');
    const pid = engine.enginePid();
    await engine.crash();
    await eventually(async () => {
      const rows = await engine.client.rows<{ n: number }>('SELECT n FROM default.kept');
      expect(rows).toEqual([{ n: 7 }]);
    });
    expect(engine.enginePid()).not.toBe(pid);
    expect(isAlive(pid ?? 0)).toBe(false);
  });

  it('ends cleanly, and starts again with its logs', async () => {
    const first = await startEngine({ dataDir: folder });
    await first.client.run("SELECT 'remembered'");
    await first.client.run('SYSTEM FLUSH LOGS');
    const pid = first.enginePid();
    await first.stop();
    expect(isAlive(pid ?? 0)).toBe(false);
    await using second = await startEngine({ dataDir: folder });
    const rows = await second.client.rows<{ found: number }>(
      "SELECT toUInt8(count() > 0) AS found FROM system.query_log WHERE query LIKE '%remembered%'",
    );
    expect(rows).toEqual([{ found: 1 }]);
  });

  it('refuses a folder that another engine uses, naming what to do', async () => {
    await using _first = await startEngine({ dataDir: folder });
    await expect(startEngine({ dataDir: folder })).rejects.toMatchObject({ kind: 'environment' });
  });
});

describe('npm run engine', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  async function start() {
    const configFile = join(folder, 'memprof.yaml');
    const child = spawn(
      process.execPath,
      [
        new URL(import.meta.resolve('#dist/src/local/clickhouse/main.js')).pathname,
        ...['--config-out', configFile, '--data', join(folder, 'data')],
      ],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TMPDIR: folder } },
    );
    children.push(child);
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    await eventually(() => expect(said).toContain('Ctrl-C stops it.'));
    const config = readConfig(await readFile(configFile, 'utf8'), {}, configFile);
    return { child, said, config };
  }

  async function enginePids(): Promise<readonly number[]> {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(
      pids.map(async (pid) => [
        pid,
        await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
      ]),
    );
    return lines
      .filter(([, line]) => line?.includes('host.js') && line.includes(folder))
      .map(([pid]) => Number(pid));
  }

  it('prints a curl line that works, and a config with the target local', async () => {
    const { child, said, config } = await start();
    const curl = /curl -s '([^']+)' -u (\S+):(\S+) -d '([^']+)'/.exec(said);
    const answer = await fetch(curl?.[1] ?? '', {
      method: 'POST',
      body: curl?.[4] ?? '',
      headers: { authorization: `Basic ${btoa(`${curl?.[2]}:${curl?.[3]}`)}` },
    });
    expect((await answer.text()).trim()).toMatch(/^26\.7\./);
    expect(config.targets.local).toMatchObject({ kind: 'clickhouse', user: 'memprof' });
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect(await enginePids()).toEqual([]);
  });

  it('leaves no engine behind when it is killed', async () => {
    const { child } = await start();
    expect(await enginePids()).toHaveLength(1);
    child.kill('SIGKILL');
    await eventually(async () => expect(await enginePids()).toEqual([]), 20_000);
  });
});
