import { Failure } from '../../failure.ts';
import type { Bytes, Milliseconds } from '../../units.ts';
import type { Engine } from './engine.ts';

/** A query that has run under the profiler. */
export interface SeededQuery {
  readonly queryId: string;
  /** What it is good for, as a suggestion: "a sort of 20 million rows". */
  readonly title: string;
  readonly sql: string;
  readonly durationMs: Milliseconds;
  /** The peak that the server counted. */
  readonly memoryUsageBytes: Bytes;
}

export interface SampledStatement {
  readonly queryId: string;
  readonly sql: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Runs a statement under the profiler, as an application would with URL settings. Throws when the engine refuses. */
export async function runSampled(engine: Engine, statement: SampledStatement): Promise<void> {
  const settings = new URLSearchParams({
    query_id: statement.queryId,
    jemalloc_enable_profiler: '1',
    jemalloc_collect_profile_samples_in_trace_log: '1',
    ...statement.settings,
  });
  const { user, password } = engine.users.admin;
  const answer = await fetch(`${engine.url}/?${settings}`, {
    method: 'POST',
    body: statement.sql,
    headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password },
  });
  const text = await answer.text();
  if (answer.ok) return;
  throw new Failure('environment', {
    what: `The query ${statement.queryId} did not run on the embedded engine`,
    why: text.slice(0, 300),
  });
}

/** Spilling to disk would hide what these queries are to show. */
const IN_MEMORY = {
  max_bytes_before_external_sort: '0',
  max_bytes_ratio_before_external_sort: '0',
  max_bytes_before_external_group_by: '0',
  max_bytes_ratio_before_external_group_by: '0',
};

interface SeedStatement {
  readonly name: string;
  readonly title: string;
  readonly sql: string;
}

/** Each holds its memory in another part of ClickHouse, for half a second or more. */
const seedStatements: readonly SeedStatement[] = [
  {
    name: 'group-by',
    title: 'a GROUP BY of 2 million keys with states',
    sql: 'SELECT number % 2000000 AS key, uniq(number), groupArray(number) FROM numbers(4000000) GROUP BY key FORMAT Null',
  },
  {
    name: 'join',
    title: 'a hash join with 6 million rows on its right side',
    sql: 'SELECT count() FROM numbers(8000000) AS l JOIN (SELECT number, toString(number) AS name FROM numbers(6000000)) AS r ON l.number = r.number WHERE NOT ignore(name) FORMAT Null',
  },
  {
    name: 'sort',
    title: 'a sort of 20 million rows',
    sql: 'SELECT number FROM numbers(20000000) ORDER BY number * 7 % 10000019 DESC FORMAT Null',
  },
  {
    name: 'uniq-exact',
    title: 'an exact count of 15 million distinct numbers',
    sql: 'SELECT uniqExact(number) FROM numbers(15000000) FORMAT Null',
  },
  {
    name: 'insert',
    title: 'an INSERT of 4 million rows in one block',
    sql: 'INSERT INTO default.events SELECT number, repeat(toString(number), 4) FROM numbers(4000000)',
  },
];

/** Runs the queries one after the other, with ids that end in `suffix`, and tells what the server counted. */
export async function seedQueries(engine: Engine, suffix: string): Promise<readonly SeededQuery[]> {
  await engine.client.run(
    'CREATE TABLE IF NOT EXISTS default.events (id UInt64, payload String) ENGINE = MergeTree ORDER BY id',
  );
  await engine.client.run('TRUNCATE TABLE default.events');
  const seeded: SeededQuery[] = [];
  for (const { name, title, sql } of seedStatements) {
    const queryId = `${name}-${suffix}`;
    await runSampled(engine, {
      queryId,
      sql,
      settings: { ...IN_MEMORY, ...(name === 'insert' ? ONE_BLOCK : {}) },
    });
    seeded.push({ queryId, title, sql, ...(await countedBy(engine, queryId)) });
  }
  return seeded;
}

const ONE_BLOCK = {
  max_block_size: '4000000',
  min_insert_block_size_rows: '4000000',
  min_insert_block_size_bytes: '0',
};

/** The server writes a query's last line a moment after its answer, so this looks more than once. */
async function countedBy(
  engine: Engine,
  queryId: string,
): Promise<Pick<SeededQuery, 'durationMs' | 'memoryUsageBytes'>> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    await engine.client.run('SYSTEM FLUSH LOGS query_log');
    const [row] = await engine.client.rows<{ ms: string; bytes: string }>(
      `SELECT toString(query_duration_ms) AS ms, toString(memory_usage) AS bytes FROM system.query_log WHERE query_id = {id:String} AND type = 'QueryFinish' ORDER BY event_time_microseconds DESC LIMIT 1`,
      { id: queryId },
    );
    if (row !== undefined) {
      return { durationMs: Number(row.ms), memoryUsageBytes: Number(row.bytes) };
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Failure('environment', { what: `query_log does not show ${queryId}` });
}
