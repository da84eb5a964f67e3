import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Engine } from '../../src/local/clickhouse/engine.ts';
import { runSampled } from '../../src/local/clickhouse/seed.ts';
import { startTestEngine } from '../support/engine.ts';

const SQL =
  'SELECT number % 300000 AS k, uniq(number) FROM numbers(3000000) GROUP BY k FORMAT Null';

let engine: Engine;
let folder: string;
let configFile: string;
beforeAll(async () => {
  engine = await startTestEngine();
  folder = await mkdtemp(join(tmpdir(), 'memprof-test-shell-'));
  configFile = join(folder, 'memprof.yaml');
  const targets = { local: { url: engine.url, ...engine.users.memprof } };
  await writeFile(configFile, stringify({ targets }));
  await runSampled(engine, { queryId: 'shell-query', sql: SQL });
}, 60_000);
afterAll(async () => {
  await engine?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The shell as people call it, in an empty folder. */
async function memprof(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(
    process.execPath,
    [new URL(import.meta.resolve('#dist/bin/cli.js')).pathname, ...args],
    { cwd: folder, env: { PATH: process.env.PATH ?? '', ...env } },
  );
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out, err };
}

describe('memprof peak in the shell', () => {
  it('prints the finding, and ends with 0', async () => {
    // memprof.yaml in this folder is found by itself, and its only target is meant.
    const { code, out } = await memprof(['peak', 'shell-query']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Query shell-query held about [\d.]+ MiB at its peak on local/);
  });

  it('prints JSON alone with --json, with the promised keys', async () => {
    const { code, out } = await memprof(['peak', 'shell-query', '--json', '--config', configFile]);
    expect(code).toBe(0);
    const json: Record<string, unknown> = JSON.parse(out);
    expect(Object.keys(json)).toEqual(
      expect.arrayContaining([
        ...['queryId', 'estimateBytes', 'serverPeakBytes', 'coverage', 'sampleCount'],
        ...['samplingIntervalBytes', 'peakAt', 'subsystems', 'rows'],
      ]),
    );
    expect(new Date(String(json.peakAt)).getTime()).toBeGreaterThan(0);
  });

  it('writes message, pictures and raw files with --out', async () => {
    const out = join(folder, 'result');
    const { code, err } = await memprof(['peak', 'shell-query', '--out', out]);
    expect(code).toBe(0);
    const files = await readdir(out);
    expect(files).toEqual(
      expect.arrayContaining(['message.txt', 'message.json', 'peak-flame.png', 'peak-curve.png']),
    );
    for (const name of files) expect(err).toContain(join(out, name));
    const png = await readFile(join(out, 'peak-flame.png'));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBe(1600);
  });

  it('needs no config file with --url', async () => {
    const { code, out } = await memprof(
      ['peak', 'shell-query', '--url', engine.url, '--user', 'memprof'],
      { MEMPROF_PASSWORD: 'memprof' },
    );
    expect(code).toBe(0);
    expect(out).toContain('held about');
  });

  it('ends with 1 and a sentence when it does not find the query', async () => {
    const { code, out, err } = await memprof(['peak', 'no-such-query']);
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toContain('local knows no query no-such-query. ');
    expect(err).toContain('[E104]');
  });

  it.each([
    [['peak'], 'peak needs the id of a query'],
    [['peak', 'x', '--target', 'other'], 'There is no target named other'],
    [['peak', 'x', 'onn:local'], 'Did you mean on:local?'],
    [['paek', 'x'], "unknown command 'paek'"],
    [['demo', '--nonsense'], 'unknown option'],
  ])('%j is answered with: %s', async (args, words) => {
    const { code, err } = await memprof(args);
    expect(err).toContain(words);
    expect(code).toBe(words.startsWith('There is no target') ? 1 : 2);
  });

  it('lists every fault of a config at once, with its line', async () => {
    const file = join(folder, 'faulty.yaml');
    await writeFile(
      file,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a config names a variable.
      'targets:\n  a:\n    url: nonsense\n    pasword: x\n  b:\n    url: http://b:8123\n    password: ${NOT_SET}\n',
    );
    const { code, err } = await memprof(['peak', 'x', '--config', file]);
    expect(code).toBe(1);
    expect(err).toContain('has 3 faults');
    expect(err).toContain('line 3: targets.a.url: must start with http:// or https://');
    expect(err).toContain('line 4: targets.a.pasword');
    expect(err).toContain('line 7: targets.b.password: environment variable NOT_SET is not set');
  });

  it('says what it can do, with an example for each verb', async () => {
    const { code, out } = await memprof(['--help']);
    expect(code).toBe(0);
    expect(out).toContain('Show what held the memory of a query at its');
    expect((await memprof(['peak', '--help'])).out).toContain('Example:\n  memprof peak ');
  });
});
