import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createQueryRunner } from '../../src/clickhouse/query-runner.ts';
import { readConfig } from '../../src/config.ts';
import type { Engine } from '../../src/local/clickhouse/engine.ts';
import type { QueryRunner, RunProgress } from '../../src/ports.ts';
import { startTestEngine } from '../support/engine.ts';

const caps = { seconds: 3, memoryBytes: 2 ** 30, readRows: 1e12, readBytes: 1e15 };
const signal = new AbortController().signal;

let engine: Engine;
let runner: QueryRunner;
beforeAll(async () => {
  engine = await startTestEngine();
  const { memprof, profiled, nobody } = engine.users;
  // The engine itself: a proxy in between gives headers on only when all of them are there.
  const url = engine.engineUrl();
  const targets = {
    prod: { ...memprof, url, run: profiled },
    wrong: { ...memprof, url, run: { ...profiled, password: 'no' } },
    poor: { ...memprof, url, run: nobody },
    away: { url: 'http://127.0.0.1:9', run: profiled },
    off: { ...memprof, url },
  };
  runner = createQueryRunner(readConfig(JSON.stringify({ targets }), {}, 'test'));
}, 60_000);
afterAll(() => engine.stop());

const run = (target: string, sql: string, more: object = {}) =>
  runner.run(
    target,
    { sql, queryId: `t-${Math.random()}`, caps, settings: {}, ...more },
    { signal, onProgress: () => undefined },
  );

describe('running statements of people', () => {
  it('tells how far the server is while it works, and stops at the cap on time', async () => {
    const seen: RunProgress[] = [];
    const running = runner.run(
      'prod',
      {
        sql: 'SELECT sum(sipHash64(number)) FROM system.numbers',
        queryId: 'slow',
        caps,
        settings: {},
      },
      { signal, onProgress: (progress) => seen.push(progress) },
    );
    // The status was 200 before the exception came.
    await expect(running).rejects.toMatchObject({ kind: 'query-timeout' });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.at(-1)?.readRows).toBeGreaterThan(0);
  });

  it('sends no rows, and says what was read', async () => {
    const progress = await run('prod', 'SELECT number FROM numbers(1000)');
    expect(progress.readRows).toBe(1000);
  });

  it('holds to caps on memory and on rows', async () => {
    const memory = run('prod', 'SELECT groupArray(number) FROM system.numbers', {
      caps: { ...caps, memoryBytes: 2 ** 26 },
    });
    await expect(memory).rejects.toMatchObject({ kind: 'memory-limit' });
    const rows = run('prod', 'SELECT sum(number) FROM numbers(1000000)', {
      caps: { ...caps, readRows: 1000 },
    });
    await expect(rows).rejects.toMatchObject({ kind: 'quota-exceeded' });
  });

  it('says what the profile of its user refuses', async () => {
    const greedy = run('prod', 'SELECT 1', { caps: { ...caps, memoryBytes: 1e11 } });
    await expect(greedy).rejects.toMatchObject({
      kind: 'setting-refused',
      message: expect.stringMatching(/refuses the settings.*8000000000.*targets.prod.run/),
    });
  });

  it('changes nothing, whatever the statement says', async () => {
    await expect(
      run('prod', 'CREATE TABLE default.x (a Int) ENGINE = Null AS SELECT 1'),
    ).rejects.toThrow();
    await expect(run('prod', "INSERT INTO FUNCTION file('x.csv') SELECT 1")).rejects.toThrow();
  });

  it('says who was not let in, and who may not', async () => {
    await expect(run('wrong', 'SELECT 1')).rejects.toMatchObject({ kind: 'target-denied' });
    await expect(run('poor', 'SELECT * FROM system.numbers')).rejects.toMatchObject({
      kind: 'grant-missing',
      paste: expect.stringMatching(/GRANT SELECT ON system.numbers TO nobody/),
    });
    await expect(run('away', 'SELECT 1')).rejects.toMatchObject({ kind: 'target-unreachable' });
    await expect(run('off', 'SELECT 1')).rejects.toMatchObject({ kind: 'feature-off' });
    expect(runner.policy('off')).toBeUndefined();
    expect(runner.policy('prod')).toMatchObject({ user: 'profiled', needsApproval: false });
  });

  it('expects as many rows as the index says', async () => {
    await engine.client.run('CREATE TABLE default.parts (a Int) ENGINE = MergeTree ORDER BY a');
    await engine.client.run('INSERT INTO default.parts SELECT number FROM numbers(100000)');
    const options = { signal };
    expect(await runner.estimateRows('prod', 'SELECT a FROM default.parts', options)).toBe(100_000);
    expect(await runner.estimateRows('prod', 'SELECT 1', options)).toBeUndefined();
  });
});
