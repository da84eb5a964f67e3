import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobContext, Reply } from '../../../jobs/job.ts';
import { peak } from '../../../jobs/peak.ts';
import { createClickHouse } from '../../../src/clickhouse/client.ts';
import { wordsOfArguments } from '../../../src/command.ts';
import { readConfig } from '../../../src/config.ts';
import type { Failure } from '../../../src/failure.ts';
import { formatBytes } from '../../../src/format.ts';
import type { Engine } from '../../../src/local/clickhouse/engine.ts';
import { runSampled } from '../../../src/local/clickhouse/seed.ts';
import { messageAsText } from '../../../templates/text/message.ts';
import { startTestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { jobContext } from '../../support/job-context.ts';

const GROUP_BY =
  "SELECT number % 300000 AS k, uniq(number), 'secret-literal' FROM numbers(3000000) GROUP BY k FORMAT Null";

let engine: Engine;
let clickhouse: ReturnType<typeof createClickHouse>;
beforeAll(async () => {
  engine = await startTestEngine();
  const at = (user: keyof Engine['users'], more: object = {}) => ({
    url: engine.url,
    ...engine.users[user],
    ...more,
  });
  clickhouse = createClickHouse(
    readConfig(
      JSON.stringify({
        targets: {
          local: at('memprof'),
          nobody: at('nobody'),
          readonly: at('readonly', { flushLogs: false }),
          wrong: { ...at('memprof'), password: 'hunter2' },
          down: { url: 'http://127.0.0.1:9' },
        },
      }),
      {},
      'test',
    ),
  );
  await runSampled(engine, { queryId: 'group-by', sql: GROUP_BY });
  await admin('SELECT sum(number) FROM numbers(1000) FORMAT Null', { query_id: 'unsampled' });
  await admin('SELECT nonsense_column FROM system.one', { query_id: 'never-ran' });
}, 60_000);
afterAll(async () => {
  await clickhouse?.[Symbol.asyncDispose]();
  await engine?.stop();
});

function admin(sql: string, settings: Readonly<Record<string, string>> = {}): Promise<string> {
  const { user, password } = engine.users.admin;
  return fetch(`${engine.url}/?${new URLSearchParams(settings)}`, {
    method: 'POST',
    body: sql,
    headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password },
  }).then((answer) => answer.text());
}

function ask(words: readonly string[], changes: Partial<JobContext['ports']> = {}): Promise<Reply> {
  const base = jobContext({ clickhouse });
  const clock = { nowMicros: () => Date.now() * 1000 };
  const { args } = peak.read(wordsOfArguments(words));
  return peak.run(
    { target: 'local', ...args },
    { ...base, ports: { ...base.ports, clock, pause: async () => undefined, ...changes } },
  );
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  return work.then(
    () => expect.unreachable('it should have failed'),
    (thrown: Failure) => thrown,
  );
}

describe('peak, of a query that ran under the profiler', () => {
  it('says what held the memory, how sure that is, and what to try next', async () => {
    const reply = await ask(['group-by']);
    const { json } = reply;
    expect(reply.finding).toMatch(
      /^Query group-by held about [\d.]+ MiB at its peak on local, \d+% of it in aggregation \([\d.]+ MiB\)\.$/,
    );
    expect(json).toMatchObject({
      queryId: 'group-by',
      target: 'local',
      user: 'admin',
      samplingIntervalBytes: 65536,
      sampleType: 'JemallocSample',
      exceptionCode: 0,
    });
    const text = messageAsText([...reply.head, ...reply.tail]);
    expect(text).toContain(formatBytes(Number(json.estimateBytes)));
    expect(text).toContain(`${formatBytes(Number(json.serverPeakBytes))} itself (coverage`);
    expect(text).toContain('one for about every 64.00 KiB allocated');
    expect(text).toMatch(/Try next: .*max_bytes_before_external_group_by/);
    expect(text).toContain('k7f2m9qd');
  });

  it('gives subsystems that add up to the estimate, and no more than the top sites', async () => {
    const { json } = await ask(['group-by']);
    const subsystems = json.subsystems as { bytes: number; share: number }[];
    const sum = subsystems.reduce((total, { bytes }) => total + bytes, 0);
    expect(Math.abs(sum - Number(json.estimateBytes))).toBeLessThan(subsystems.length + 1);
    const rows = json.rows as { selfBytes: number; totalBytes: number; name: string }[];
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row.selfBytes).toBeLessThanOrEqual(row.totalBytes);
  });

  it('never shows a literal of the statement', async () => {
    const reply = await ask(['group-by']);
    expect(JSON.stringify({ ...reply, pictures: [] })).not.toContain('secret-literal');
  });

  it('asks for both pictures, whose words state the finding', async () => {
    const { pictures, finding } = await ask(['group-by']);
    expect(pictures.map(({ name }) => name)).toEqual(['peak-flame', 'peak-curve']);
    expect(pictures[0]?.alt).toBe(finding);
  });

  it('is kept, so that it can be compared later', async () => {
    const { keep, json } = await ask(['group-by']);
    expect(keep?.reading.kind).toBe('peak');
    expect(keep?.reading.subject).toMatch(/^\d+$/);
    expect(Math.round(keep?.profile?.totalBytes ?? 0)).toBe(json.estimateBytes);
  });

  it('comes the same as a user who reads everything and may change nothing', async () => {
    const reply = await ask(['group-by', 'on:readonly']);
    expect(reply.json.estimateBytes).toBe((await ask(['group-by'])).json.estimateBytes);
  });

  it('says that the memory limit stopped it', async () => {
    await admin(GROUP_BY, {
      query_id: 'limited',
      max_memory_usage: '30000000',
      jemalloc_enable_profiler: '1',
      jemalloc_collect_profile_samples_in_trace_log: '1',
    });
    const reply = await ask(['limited']);
    expect(reply.finding).toContain('; the memory limit then stopped it');
    expect(reply.json.exceptionCode).toBe(241);
  });

  it('takes the latest run of an id that was used more than once, and says so', async () => {
    for (const rows of [1_000_000, 2_000_000]) {
      const sql = `SELECT number % 100000 AS k, uniq(number) FROM numbers(${rows}) GROUP BY k FORMAT Null`;
      await runSampled(engine, { queryId: 'twice', sql });
    }
    const reply = await ask(['twice']);
    expect(messageAsText(reply.tail)).toContain('The id was used for 2 runs; this is the latest');
  });
});

describe('peak, of what people paste', () => {
  const id = '8678d8fe-9e1c-4c36-8d1f-0a2b3c4d5e6f';
  it.each([
    [[id], id, undefined],
    [[`"${id}"`], id, `Read as query ${id}`],
    [[`query_id=${id},`], id, `Read as query ${id}`],
    [['Code:', '241.', 'Query', `(id: ${id})`, 'failed'], id, `Read as query ${id}`],
    [['my-own-id'], 'my-own-id', undefined],
    [['my-own-id', 'please'], 'my-own-id', 'Read as query my-own-id'],
    [["'; DROP TABLE x; --"], '; DROP TABLE x; --', 'Read as query ; DROP TABLE x; --'],
  ])('%j is the query %s', (words, queryId, understood) => {
    expect(peak.read({ words, options: {}, raw: words.join(' ') })).toEqual({
      args: { queryId },
      ...(understood === undefined ? {} : { understood }),
    });
  });

  it('needs an id, and knows one option', () => {
    const read =
      (words: string[], options = {}) =>
      () =>
        peak.read({ words, options, raw: '' });
    expect(read([])).toThrow(/peak needs the id of a query/);
    expect(read(['"'])).toThrow(/is no id of a query/);
    expect(read(['x'], { onn: 'prod' })).toThrow(/Did you mean on:prod/);
  });
});

describe('peak, of what cannot be told', () => {
  it('an id with SQL in it is an id like any other, that nobody knows', async () => {
    const failure = await failureOf(ask(["x' OR 1=1 --"]));
    expect(failure.kind).toBe('not-found');
    expect(failure.what).toBe("local knows no query x' OR 1=1 --");
  });

  it('an unknown id says where memprof looked and how far back the log goes', async () => {
    const failure = await failureOf(ask(['no-such-query']));
    expect(failure.kind).toBe('not-found');
    expect(failure.why).toMatch(
      /system\.query_log and system\.processes, by query_id and initial_query_id; its logs were flushed first; query_log goes back to \d{4}-/,
    );
  });

  it('an unknown id, where logs may not be flushed, says that memprof waited for them', async () => {
    let now = Date.now();
    const failure = await failureOf(
      ask(['no-such-query', 'on:readonly'], {
        clock: { nowMicros: () => now * 1000 },
        pause: async (ms) => {
          now += ms;
        },
      }),
    );
    expect(failure.kind).toBe('not-found');
    expect(failure.why).toContain('targets.readonly.flushLogs is off');
    expect(failure.why).toContain('so memprof waited for them');
  });

  it('a query that still runs says for how long and what it holds', async () => {
    const running = admin('SELECT sleepEachRow(1) FROM numbers(20) SETTINGS max_block_size = 1', {
      query_id: 'sleeper',
      function_sleep_max_microseconds_per_block: '100000000',
    });
    await eventually(async () => {
      const failure = await failureOf(ask(['sleeper']));
      expect(failure.kind).toBe('still-running');
      expect(failure.what).toMatch(/^Query sleeper still runs on local, for [\d.]+ m?s so far$/);
    });
    await admin("KILL QUERY WHERE query_id = 'sleeper' SYNC");
    await running;
  });

  it('a query without samples says how to run it again', async () => {
    const failure = await failureOf(ask(['unsampled']));
    expect(failure.kind).toBe('no-samples');
    expect(failure.why).toBe('it ran with the profiler off, which is the default');
    expect(failure.paste).toContain(
      'jemalloc_enable_profiler=1&jemalloc_collect_profile_samples_in_trace_log=1',
    );
  });

  it('a query that failed before it ran has nothing to measure', async () => {
    const failure = await failureOf(ask(['never-ran']));
    expect(failure.kind).toBe('no-samples');
    expect(failure.why).toBe('it failed before it ran, with code 47');
  });

  it.each([
    ['nobody', 'grant-missing', /GRANT SELECT ON system\.query_log TO nobody;/],
    ['wrong', 'target-denied', /targets\.wrong\.user/],
    ['down', 'target-unreachable', /targets\.down\.url/],
  ])('on %s it is %s, with what mends it', async (target, kind, fix) => {
    const failure = await failureOf(ask(['group-by', `on:${target}`]));
    expect(failure.kind).toBe(kind);
    expect(`${failure.fix} ${failure.paste ?? ''}`).toMatch(fix);
    expect(failure.message).not.toContain('hunter2');
  });
});
