import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createClickHouse } from '../../src/clickhouse/client.ts';
import { readConfig } from '../../src/config.ts';
import type { Failure } from '../../src/failure.ts';
import type { Engine } from '../../src/local/clickhouse/engine.ts';
import type { EngineUser } from '../../src/local/clickhouse/users.ts';
import { defineQuery } from '../../src/query.ts';
import { Int64 } from '../../templates/sql/columns.ts';
import { symbolsOfAddresses } from '../../templates/sql/symbols.ts';
import { startTestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';

const none = z.object({});
const signal = new AbortController().signal;

const echo = defineQuery({
  name: 'echo',
  sql: "SELECT {text: String} AS text, toUInt64('9007199254740991') AS big, [toUInt64('18446744073709551615')] AS huge",
  params: z.object({ text: z.string() }),
  row: z.object({ text: z.string(), big: Int64, huge: z.array(z.string()) }),
});
const endless = defineQuery({
  name: 'endless',
  sql: 'SELECT toString(sum(number)) AS sum FROM system.numbers',
  params: none,
  row: z.object({ sum: z.string() }),
});
const queryLog = defineQuery({
  name: 'entries',
  sql: 'SELECT query_id FROM system.query_log LIMIT 1',
  params: none,
  row: z.object({ query_id: z.string() }),
});
const half = defineQuery({
  name: 'half',
  sql: 'SELECT number AS n, throwIf(number = 200000) AS t FROM system.numbers LIMIT 300000 SETTINGS max_block_size = 1000',
  params: none,
  row: z.object({ n: Int64 }),
});
const profileLines = defineQuery({
  name: 'lines',
  sql: 'SELECT toString(number) AS line FROM system.numbers LIMIT 100000',
  params: none,
  row: z.object({ line: z.string() }),
});

let engine: Engine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(async () => {
  await engine?.stop();
});

function clientOf(user: EngineUser, settings: object = {}) {
  const config = { targets: { local: { url: engine.url, ...user, ...settings } } };
  return createClickHouse(readConfig(JSON.stringify(config), {}, 'test'));
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  return work.then(
    () => expect.unreachable('it should have failed'),
    (thrown: Failure) => thrown,
  );
}

async function runningIds(): Promise<readonly string[]> {
  const rows = await engine.client.rows<{ id: string }>(
    "SELECT query_id AS id FROM system.processes WHERE query_id LIKE 'memprof-%'",
  );
  return rows.map(({ id }) => id);
}

describe('the ClickHouse edge, on a real server', () => {
  it('binds parameters, keeps every digit of 64 bits, and validates rows', async () => {
    await using clickhouse = clientOf(engine.users.memprof);
    const text = '\'; DROP TABLE x; -- \\ \n\t"{a:b}';
    expect(await clickhouse.rows('local', echo, { text }, { signal })).toEqual([
      { text, big: Number.MAX_SAFE_INTEGER, huge: ['18446744073709551615'] },
    ]);
  });

  it('asks for names of addresses of all 64 bits in a form that the server reads', async () => {
    await using clickhouse = clientOf(engine.users.memprof);
    const addresses = ['139981039975051', '18446744073709551615'];
    const settings = { allow_introspection_functions: 1 };
    const rows = await clickhouse.rows(
      'local',
      symbolsOfAddresses,
      { addresses },
      { signal, settings },
    );
    expect(rows.map(({ address }) => address)).toEqual(addresses);
  });

  it('streams texts of any length', async () => {
    await using clickhouse = clientOf(engine.users.admin);
    const chunks: Uint8Array[] = [];
    for await (const chunk of clickhouse.bytes('local', profileLines, {}, { signal })) {
      chunks.push(chunk);
    }
    const lines = Buffer.concat(chunks).toString().trimEnd().split('\n');
    expect(lines.length).toBe(100_000);
    expect(lines.at(-1)).toBe('99999');
  });

  it('tags what it asks, so that it can be told from the work of others', async () => {
    await using clickhouse = clientOf(engine.users.memprof);
    await clickhouse.rows('local', echo, { text: 'tagged' }, { signal });
    await eventually(async () => {
      await engine.client.run('SYSTEM FLUSH LOGS query_log');
      const rows = await engine.client.rows<{ c: string }>(
        "SELECT log_comment AS c FROM system.query_log WHERE query_id LIKE 'memprof-%' AND type = 'QueryFinish'",
      );
      expect(rows.map(({ c }) => c)).toContain('memprof echo');
    });
  });

  it('stops the work of the server when it is cancelled', async () => {
    await using clickhouse = clientOf(engine.users.admin);
    const stop = new AbortController();
    const asked = failureOf(clickhouse.rows('local', endless, {}, { signal: stop.signal }));
    await eventually(async () => expect(await runningIds()).toHaveLength(1));
    stop.abort('cancelled');
    expect(await asked).toBe('cancelled');
    await eventually(async () => expect(await runningIds()).toEqual([]));
  });

  it('stops the work of the server when the deadline has passed', async () => {
    await using clickhouse = clientOf(engine.users.admin);
    const failure = await failureOf(
      clickhouse.rows('local', endless, {}, { signal, deadlineMs: 300 }),
    );
    expect(failure.kind).toBe('query-timeout');
    expect(failure.message).toContain('local did not answer endless within 300 ms');
    await eventually(async () => expect(await runningIds()).toEqual([]));
  });

  it('gives no half of an answer when the server fails in the middle', async () => {
    await using clickhouse = clientOf(engine.users.admin);
    const failure = await failureOf(clickhouse.rows('local', half, {}, { signal }));
    expect(failure.kind).toBe('server-error');
    expect(failure.why).toContain('395');
  });

  it('reads as a user who may change no setting', async () => {
    await using clickhouse = clientOf(engine.users.readonly);
    const read = () => clickhouse.rows('local', queryLog, {}, { signal });
    expect(await read()).toHaveLength(1);
    expect(await read()).toHaveLength(1);
  });

  it('says which setting a profile refuses when the question needs it', async () => {
    await using clickhouse = clientOf(engine.users.readonly);
    const failure = await failureOf(
      clickhouse.rows('local', queryLog, {}, { signal, settings: { max_threads: 1 } }),
    );
    expect(failure.kind).toBe('setting-refused');
    expect(failure.why).toContain('max_threads');
  });

  it('prints the grant that a user lacks', async () => {
    await using clickhouse = clientOf(engine.users.nobody);
    const failure = await failureOf(clickhouse.rows('local', queryLog, {}, { signal }));
    expect(failure.kind).toBe('grant-missing');
    expect(failure.paste).toBe('GRANT SELECT ON system.query_log TO nobody;');
  });

  it('says that a password was refused, without saying the password', async () => {
    await using clickhouse = clientOf({ user: 'memprof', password: 'hunter2-secret' });
    const failure = await failureOf(clickhouse.rows('local', queryLog, {}, { signal }));
    expect(failure.kind).toBe('target-denied');
    expect(JSON.stringify({ ...failure, message: failure.message })).not.toContain('hunter2');
  });

  it('says that a quota is used up', async () => {
    await using clickhouse = clientOf(engine.users.quota);
    const failure = await failureOf(
      (async () => {
        for (let n = 0; n < 30; n += 1) await clickhouse.rows('local', queryLog, {}, { signal });
      })(),
    );
    expect(failure.kind).toBe('quota-exceeded');
  });

  it('says that a query hit the memory limit', async () => {
    await using clickhouse = clientOf(engine.users.admin);
    const failure = await failureOf(
      clickhouse.rows('local', hungry, {}, { signal, settings: { max_memory_usage: 10_000_000 } }),
    );
    expect(failure.kind).toBe('memory-limit');
  });

  it('runs a statement and gives its text', async () => {
    await using clickhouse = clientOf(engine.users.memprof);
    expect(await clickhouse.statement('local', 'SYSTEM FLUSH LOGS', { signal })).toBe('');
    const path = await clickhouse.statement('local', 'SYSTEM JEMALLOC FLUSH PROFILE', { signal });
    expect(path.trim()).toMatch(/\.heap/);
  });

  it('does not flush logs where the config says so', async () => {
    await using clickhouse = clientOf(engine.users.memprof, { flushLogs: false });
    const failure = await failureOf(clickhouse.statement('local', 'SYSTEM FLUSH LOGS', { signal }));
    expect(failure.kind).toBe('feature-off');
    expect(failure.why).toContain('targets.local.flushLogs');
  });

  it('names the targets there are when one is unknown, and asks no Keeper for SQL', async () => {
    const config = readConfig(
      'targets: { keeper-1: { kind: keeper, fourLetterWords: "127.0.0.1:9181" } }',
      {},
      'test',
    );
    await using clickhouse = createClickHouse(config);
    const unknown = await failureOf(clickhouse.rows('prod', queryLog, {}, { signal }));
    expect(unknown.kind).toBe('unknown-target');
    expect(unknown.why).toContain('keeper-1');
    const keeper = await failureOf(clickhouse.rows('keeper-1', queryLog, {}, { signal }));
    expect(keeper.kind).toBe('usage');
  });
});

const hungry = defineQuery({
  name: 'hungry',
  sql: 'SELECT toString(length(groupArray(number))) AS query_id FROM system.numbers LIMIT 1',
  params: none,
  row: z.object({ query_id: z.string() }),
});

describe('what is not a ClickHouse server', () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });

  async function targetAnswering(status: number, body: string) {
    const server = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'text/html' });
      response.end(body);
    });
    servers.push(server);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    return createClickHouse(
      readConfig(`targets: { odd: { url: "http://127.0.0.1:${port}" } }`, {}, 'test'),
    );
  }

  it('is named as such when a proxy answers', async () => {
    await using clickhouse = await targetAnswering(502, '<h1>Bad Gateway</h1>');
    const failure = await failureOf(clickhouse.rows('odd', queryLog, {}, { signal }));
    expect(failure.what).toBe('odd did not answer as ClickHouse does');
  });

  it('is named as such when a page comes with status 200', async () => {
    await using clickhouse = await targetAnswering(200, '<h1>Welcome</h1>');
    const failure = await failureOf(clickhouse.rows('odd', queryLog, {}, { signal }));
    expect(failure.what).toBe('odd did not answer as ClickHouse does');
    const flush = clickhouse.statement('odd', 'SYSTEM JEMALLOC FLUSH PROFILE', { signal });
    expect((await failureOf(flush)).what).toBe('odd did not answer as ClickHouse does');
  });

  it('is a server of long ago, whose errors are read too', async () => {
    await using clickhouse = await targetAnswering(
      500,
      "Code: 60, e.displayText() = DB::Exception: Table system.trace_log doesn't exist., e.what() = DB::Exception",
    );
    const failure = await failureOf(clickhouse.rows('odd', queryLog, {}, { signal }));
    expect(failure.kind).toBe('feature-missing');
    expect(failure.why).toContain("Table system.trace_log doesn't exist");
  });

  it('cannot be reached where nothing listens', async () => {
    await using clickhouse = createClickHouse(
      readConfig('targets: { down: { url: "http://127.0.0.1:9" } }', {}, 'test'),
    );
    const failure = await failureOf(clickhouse.rows('down', queryLog, {}, { signal }));
    expect(failure.kind).toBe('target-unreachable');
    expect(failure.message).toContain('down cannot be reached');
  });
});
