import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobContext, Reply } from '../../../jobs/job.ts';
import { preflight } from '../../../jobs/run/preflight.ts';
import { run } from '../../../jobs/run.ts';
import { createClickHouse } from '../../../src/clickhouse/client.ts';
import { createQueryRunner } from '../../../src/clickhouse/query-runner.ts';
import { pause } from '../../../src/clock.ts';
import { type Config, readConfig } from '../../../src/config.ts';
import type { Engine } from '../../../src/local/clickhouse/engine.ts';
import { messageAsText } from '../../../templates/text/message.ts';
import { startTestEngine } from '../../support/engine.ts';
import { jobContext, sourcesOf } from '../../support/job-context.ts';

let engine: Engine;
let config: Config;
let clickhouse: ReturnType<typeof createClickHouse>;

beforeAll(async () => {
  engine = await startTestEngine();
  await engine.client.run(
    'CREATE TABLE IF NOT EXISTS default.hits (user_id UInt64, url String) ENGINE = MergeTree ORDER BY user_id',
  );
  await engine.client.run(
    "INSERT INTO default.hits SELECT number % 100000, concat('https://example/', toString(number)) FROM numbers(1000000)",
  );
  const targets = {
    prod: {
      ...engine.users.memprof,
      url: engine.url,
      run: { ...engine.users.profiled, maxSeconds: 30, maxMemoryMiB: 2000 },
    },
  };
  config = readConfig(JSON.stringify({ targets }), {}, 'test');
  clickhouse = createClickHouse(config);
}, 60_000);

afterAll(async () => {
  await clickhouse[Symbol.asyncDispose]();
  await engine.stop();
});

function contextOf(investigationId: string, signal = new AbortController().signal) {
  const context = jobContext({ clickhouse, signal });
  return {
    ...context,
    investigationId,
    ports: {
      ...context.ports,
      clock: { nowMicros: () => Date.now() * 1000 },
      pause,
      sources: { ...sourcesOf(config.targets), runner: createQueryRunner(config) },
    },
  } satisfies JobContext;
}

const ask = (sql: string, context = contextOf('aaaa1111')): Promise<Reply> =>
  run.run(run.read({ words: [], options: { on: 'prod' }, raw: sql }).args, context);
const rowsOf = (sql: string) => engine.client.rows<{ n: string }>(sql);

describe('run on a live engine', () => {
  it('runs a SELECT once as the read-only user, and says what held its memory', async () => {
    const context = contextOf('bbbb2222');
    const sql = 'SELECT url, count() FROM default.hits GROUP BY url';
    const reply = await ask(sql, context);
    expect(messageAsText(reply.head)).toMatch(
      /Ran once on prod as profiled, reading 1,000,000 rows/,
    );
    const { run: ran, estimateBytes, serverPeakBytes } = reply.json;
    console.log(`estimate ${estimateBytes}, the server's own peak ${serverPeakBytes}`);
    expect(ran).toMatchObject({ expectedRows: 1_000_000, user: 'profiled', stoppedBy: null });
    const share = Number(estimateBytes) / Number(serverPeakBytes);
    expect(share).toBeGreaterThan(0.5);
    expect(context.stages.join(' ')).toMatch(/running the statement/);
    const [finished] = await rowsOf(
      "SELECT count() AS n FROM system.query_log WHERE query_id = 'memprof-run-bbbb2222' AND type = 'QueryFinish' AND user = 'profiled' AND result_rows = 0 OR 0",
    );
    expect(Number(finished?.n)).toBeLessThanOrEqual(1);

    // A retry finds that it ran and does not run it again.
    await ask(sql, contextOf('bbbb2222'));
    const [starts] = await rowsOf(
      "SELECT count() AS n FROM system.query_log WHERE query_id = 'memprof-run-bbbb2222' AND type = 'QueryStart'",
    );
    expect(Number(starts?.n)).toBe(1);
  });

  it('is stopped by its caps, and still says what it held', async () => {
    const reply = await ask(
      'memory:100MiB SELECT groupArray(number) FROM system.numbers',
      contextOf('cccc3333'),
    );
    expect(messageAsText(reply.head)).toMatch(
      /was stopped: .*[Mm]emory limit.*What it held until/s,
    );
    expect(reply.json.run).toMatchObject({ stoppedBy: 'E208' });
  });

  it('says how far it is behind a proxy too, and is stopped on the server when it is cancelled', async () => {
    const stop = new AbortController();
    const running = ask('SELECT sum(sipHash64(number)) FROM system.numbers', {
      ...contextOf('dddd4444', stop.signal),
      // The engine's front shows headers only when all of them are there.
      progress: (stage, detail) => {
        if (stage === 'running the statement' && / held$/.test(detail ?? ''))
          stop.abort('cancelled');
      },
    });
    await expect(running).rejects.toBe('cancelled');
    const left = async () =>
      Number(
        (
          await rowsOf(
            "SELECT count() AS n FROM system.processes WHERE query_id = 'memprof-run-dddd4444'",
          )
        )[0]?.n,
      );
    await expect.poll(left, { timeout: 10_000 }).toBe(0);
  });

  it.each([
    ['SELECT 1; DROP TABLE default.hits', /cannot make sense of the statement.*Multi-statements/],
    ['INSERT INTO default.hits SELECT 1, 2', /a statement of the kind Insert/],
    ['DROP TABLE default.hits', /a statement of the kind Drop/],
    ['SYSTEM SHUTDOWN', /a statement of the kind SYSTEM/],
    ['EXPLAIN SELECT 1', /a statement of the kind Explain/],
    ['SELECT 1 SETTINGS readonly = 0', /has a SETTINGS clause/],
    ['SELECT * FROM (SELECT 1 SETTINGS max_memory_usage = 0)', /has a SETTINGS clause/],
    ["SELECT 1 INTO OUTFILE '/tmp/x'", /has a FORMAT or INTO OUTFILE clause/],
    ['SELECT 1 FORMAT JSON', /has a FORMAT or INTO OUTFILE clause/],
    ["SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a String')", /The function url can reach/],
    ["SELECT 1 IN url('http://127.0.0.1:1/', 'CSV', 'a Int')", /The function url can reach/],
    ["SELECT * FROM s3('https://b/x.csv')", /The function s3 can reach/],
    ["SELECT * FROM remote('127.0.0.2', system.one)", /The function remote can reach/],
    ["SELECT * FROM file('/etc/passwd')", /The function file can reach/],
    ["SELECT file('/etc/passwd')", /The function file can reach/],
    ["SELECT * FROM somethingNew('x')", /The function somethingNew can reach/],
    ...[
      "SELECT * FROM `url`('http://127.0.0.1:1/', 'CSV', 'a Int')",
      "SELECT * FROM URL('http://127.0.0.1:1/', 'CSV', 'a Int')",
      "SELECT * FROM url/* */('http://127.0.0.1:1/', 'CSV', 'a Int')",
      "WITH a AS (SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a Int')) SELECT * FROM a",
      "SELECT (SELECT a FROM url('http://127.0.0.1:1/', 'CSV', 'a Int'))",
      "SELECT * FROM view(SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a Int'))",
      "SELECT 1 UNION ALL SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a Int')",
      "SELECT * FROM cluster('default', url('http://127.0.0.1:1/', 'CSV', 'a Int'))",
      "FROM url('http://127.0.0.1:1/', 'CSV', 'a Int') SELECT 1",
    ].map((sql): [string, RegExp] => [sql, /The function (?:url|URL) can reach files/]),
    ...[
      ...['urlCluster', 'mysql', 'postgresql', 'executable', 'jdbc', 'input', 'iceberg', 'hdfs'],
      ...['azureBlobStorage', 'deltaLake', 'sqlite', 'mongodb', 'redis', 'filesystem', 'eval'],
    ].map((name): [string, RegExp] => [
      `SELECT * FROM ${name}('a', 'b', 'c')`,
      new RegExp(`The function ${name} can reach files or other servers`),
    ]),
    ["SELECT arrayMap(file, ['passwd'])", /The function file can reach/],
    ["SELECT arrayMap(x -> file(x), ['passwd'])", /The function file can reach/],
    ['SELECT * APPLY file FROM default.hits', /APPLY with the function file can reach/],
    ['SELECT COLUMNS(url) APPLY(x -> file(x)) FROM default.hits', /APPLY with the function file/],
    ['SELECT * APPLY(x -> x + 1) FROM system.one', /does not show what APPLY does there/],
    ["SELECT tuple(file('passwd')).*", /does not show what stands before \.\* there/],
    ["SELECT tuple(file('passwd')) /* ' */ . /* ` */ *", /does not show what stands before/],
    [
      "SELECT hasColumnInTable('127.0.0.2', 'a', 'b', 'c')",
      /The function hasColumnInTable can reach/,
    ],
    ["SELECT reverseDNSQuery('127.0.0.1')", /The function reverseDNSQuery can reach/],
    ["SELECT catboostEvaluate('m.bin', 1)", /The function catboostEvaluate can reach/],
    ["SELECT aiGenerate('x', 'y')", /The function aiGenerate can reach/],
    ['SELECT * FROM `/etc/passwd`', /A table named \/etc\/passwd can reach files/],
    ['SELECT 1 IN `/etc/passwd`', /A table named \/etc\/passwd can reach files/],
    ['(SELECT 1) SETTINGS readonly = 0', /readonly|SETTINGS clause/],
    ['SELECT 1 /* ; */ SETTINGS /* */ max_memory_usage = 0', /has a SETTINGS clause/],
    ['SELECT nothing FROM default.hits', /cannot make sense of the statement/],
    ['SELECT * FROM default.absent', /cannot make sense of the statement/],
    ['SELECT * FROM system.query_log', /profiled.*lacks a privilege/],
    ['time:10m SELECT 1', /time: asks for more than the config allows.*time:30s/],
    ['SELECT (1', /cannot make sense of the statement/],
  ])('refuses %s with a sentence', async (sql, sentence) => {
    await expect(ask(sql)).rejects.toThrow(sentence);
  });

  it.each([
    'SELECT url, count() FROM default.hits GROUP BY url LIMIT 1',
    'SELECT * APPLY(toString) FROM system.one',
    "SELECT hits.* EXCEPT(url) FROM default.hits LIMIT 1 /* ).* file( */ -- 'x').*",
    "SELECT arrayMap(x -> upper(x), ['a.*', ').*'])",
  ])('lets through what only looks like reaching out: %s', async (sql) => {
    const args = { target: 'prod', sql, caps: {} };
    expect(await preflight(args, contextOf('ffff6666'))).toMatchObject({ sql, lowered: [] });
  });

  it('lowers the caps of the config to what the profile of the user allows, before it runs', async () => {
    const runner = createQueryRunner(config);
    const caps = { seconds: 30, memoryBytes: 8192 * 2 ** 20, readRows: 1e10, readBytes: 2 ** 40 };
    const signal = new AbortController().signal;
    expect(await runner.allowedCaps('prod', caps, { signal })).toEqual({
      ...caps,
      memoryBytes: 8e9,
    });
    const less = { ...caps, memoryBytes: 1e9 };
    expect(await runner.allowedCaps('prod', less, { signal })).toEqual(less);
  });

  it('takes comments, fences and a dot at the end for what they are', async () => {
    const reply = await ask(
      '```sql\n-- how many?\nSELECT count(DISTINCT url) /* ; */ FROM default.hits -- all\n;\n```',
      contextOf('eeee5555'),
    );
    expect(reply.json.run).toMatchObject({ stoppedBy: null });
  });
});
