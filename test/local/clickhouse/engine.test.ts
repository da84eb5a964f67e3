import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/local/clickhouse/engine.ts';
import { neededGrants } from '../../../src/local/clickhouse/grants.ts';
import { runSampled } from '../../../src/local/clickhouse/seed.ts';
import type { EngineUser } from '../../../src/local/clickhouse/users.ts';
import { startTestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(async () => {
  await engine?.stop();
});

interface Answer {
  readonly status: number;
  readonly text: string;
  /** The server's code of the exception; undefined when there is none. */
  readonly code: string | null;
}

async function ask(
  sql: string,
  {
    user = engine.users.admin,
    settings = {},
    signal,
  }: {
    readonly user?: EngineUser;
    readonly settings?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  } = {},
): Promise<Answer> {
  const answer = await fetch(`${engine.url}/?${new URLSearchParams(settings)}`, {
    method: 'POST',
    body: sql,
    headers: { 'X-ClickHouse-User': user.user, 'X-ClickHouse-Key': user.password },
    ...(signal === undefined ? {} : { signal }),
  });
  return {
    status: answer.status,
    text: await answer.text(),
    code: answer.headers.get('x-clickhouse-exception-code'),
  };
}

describe('the embedded engine', () => {
  it('is a genuine ClickHouse of 26.7', async () => {
    expect((await ask('SELECT version()')).text).toMatch(/^26\.7\.\d+/);
  });

  it('lets memprof do what the README asks an admin to grant, and nothing else', async () => {
    const user = engine.users.memprof;
    for (const { grant } of neededGrants.filter(({ grant }) => grant.startsWith('SELECT'))) {
      const table = grant.replace('SELECT ON ', '');
      const answer = await ask(`SELECT count() FROM ${table} FORMAT TSV`, { user });
      // What this build lacks altogether is not forbidden.
      expect([null, '60'], `${table}: ${answer.text}`).toContain(answer.code);
    }
    expect((await ask('SYSTEM FLUSH LOGS', { user })).code).toBeNull();
    expect((await ask('CREATE TABLE default.t (a Int8) ENGINE = Memory', { user })).code).toBe(
      '497',
    );
    expect((await ask('SELECT * FROM system.users', { user })).code).toBe('497');
  });

  it('refuses wrong passwords, missing grants, writes of readers and used-up quotas as a server does', async () => {
    const { admin, nobody, readonly, quota } = engine.users;
    expect((await ask('SELECT 1', { user: { ...admin, password: 'x' } })).code).toBe('516');
    expect((await ask('SELECT * FROM system.query_log', { user: nobody })).code).toBe('497');
    expect((await ask('SELECT 1', { user: readonly, settings: { max_threads: '1' } })).code).toBe(
      '164',
    );
    const codes = new Set<string | null>();
    for (let n = 0; n < 25; n += 1) {
      codes.add((await ask('SELECT count() FROM system.query_log', { user: quota })).code);
    }
    expect(codes).toContain('201');
  });

  it('stops a query when its client goes away, as memprof asks it', async () => {
    const stop = new AbortController();
    const running = ask('SELECT sum(number) FROM system.numbers', {
      settings: {
        query_id: 'left-alone',
        readonly: '2',
        cancel_http_readonly_queries_on_client_close: '1',
      },
      signal: stop.signal,
    }).catch((thrown: Error) => thrown.name);
    const processes = async () =>
      (await ask("SELECT count() FROM system.processes WHERE query_id = 'left-alone'")).text.trim();
    await eventually(async () => expect(await processes()).toBe('1'));
    stop.abort();
    expect(await running).toBe('AbortError');
    await eventually(async () => expect(await processes()).toBe('0'));
  });

  it('keeps the allocations of queries beside a sampled one apart from it', async () => {
    const noise = ask('SELECT uniqExact(number) FROM numbers(6000000) FORMAT Null', {
      settings: { query_id: 'noise' },
    });
    await runSampled(engine, {
      queryId: 'beside',
      sql: 'SELECT number % 400000 AS k, uniq(number) FROM numbers(4000000) GROUP BY k FORMAT Null',
    });
    await noise;
    await ask('SYSTEM FLUSH LOGS');
    const ids = (await ask('SELECT DISTINCT query_id FROM system.trace_log')).text.split('\n');
    expect(ids).toContain('beside');
    expect(ids).not.toContain('noise');
  });
});

describe('what stands in for parts that this build lacks', () => {
  it('puts samples into trace_log: allocations with a stack and names, and their frees', async () => {
    await runSampled(engine, {
      queryId: 'sampled',
      sql: 'SELECT number % 300000 AS k, groupArray(number) FROM numbers(3000000) GROUP BY k FORMAT Null',
    });
    await ask('SYSTEM FLUSH LOGS');
    const [row] = await engine.client.rows<Record<string, number>>(
      `SELECT toUInt32(countIf(size > 0)) AS allocations, toUInt32(countIf(size < 0)) AS frees,
         toUInt32(uniq(ptr)) AS objects, toUInt32(countIf(length(trace) != length(symbols))) AS uneven,
         toUInt32(countIf(has(arrayMap(s -> s LIKE '%Aggregat%', symbols), 1))) AS named
       FROM system.trace_log WHERE query_id = 'sampled' AND trace_type = 'JemallocSample'`,
    );
    expect(row?.allocations).toBeGreaterThan(10);
    // What outlives the query (caches, buffers of the connection) is not freed by it.
    expect(row?.frees).toBeGreaterThan(0.9 * (row?.allocations ?? 0));
    expect(row?.frees).toBeLessThanOrEqual(row?.allocations ?? 0);
    expect(row?.objects).toBe(row?.allocations);
    expect(row?.uneven).toBe(0);
    expect(row?.named).toBeGreaterThan(0);
  });

  it('gives the live heap as text in the three forms', async () => {
    const read = async (format: string) =>
      (
        await ask('SELECT line FROM system.jemalloc_profile_text FORMAT TSVRaw', {
          user: engine.users.memprof,
          settings: { jemalloc_profile_text_output_format: format },
        })
      ).text;
    expect(await read('raw')).toMatch(/^heap_v2\/65536\n/);
    expect(await read('symbolized')).toMatch(
      /^--- symbol\nbinary=[\s\S]*\n---\n--- heap\nheap_v2\//,
    );
    for (const line of (await read('collapsed')).trimEnd().split('\n')) {
      expect(line).toMatch(/ \d+$/);
    }
  });

  it('writes a dump that is there, and says where', async () => {
    const { text, code } = await ask('SYSTEM JEMALLOC FLUSH PROFILE', {
      user: engine.users.memprof,
    });
    expect(code).toBeNull();
    expect(text.trim()).toMatch(/^\/.*\.heap\.collapsed$/);
    expect((await ask('SYSTEM JEMALLOC FLUSH PROFILE', { user: engine.users.nobody })).code).toBe(
      '497',
    );
  });

  it('shows bins by arena, sampled objects with ages, and the allocator in asynchronous_metrics', async () => {
    const user = engine.users.memprof;
    const bins = await ask(
      'SELECT toUInt32(countIf(arena = 0)), toUInt32(sum(curregs) > 0) FROM system.jemalloc_arena_bins WHERE large = 0 FORMAT TSV',
      { user },
    );
    expect(bins.text.trim()).toBe('36\t1');
    const objects = await ask(
      'SELECT toUInt32(count() > 0), toUInt32(countIf(empty(trace))), toUInt32(any(sample_interval)) FROM system.jemalloc_sampled_allocations FORMAT TSV',
      { user },
    );
    expect(objects.text.trim()).toBe('1\t0\t65536');
    const metrics = await ask(
      "SELECT value > 1e6 FROM system.asynchronous_metrics WHERE metric IN ('jemalloc.allocated', 'jemalloc.resident', 'MemoryResident') FORMAT TSV",
      { user },
    );
    expect(metrics.text.trim().split('\n')).toEqual(['1', '1', '1']);
  });
});
