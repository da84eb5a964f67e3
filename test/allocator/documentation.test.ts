import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fragmentationOf } from '../../src/allocator/fragmentation.ts';
import { ageBoundsNs, noAges, toAgeCounts } from '../../src/allocator/object-age.ts';
import { wasteStacks } from '../../src/allocator/waste-shares.ts';
import type { Engine } from '../../src/local/clickhouse/engine.ts';
import { fragmentSlabs } from '../../src/local/clickhouse/fragmentation.ts';
import { binsAndSampledObjects } from '../../templates/sql/frag-arenas.ts';
import { startTestEngine } from '../support/engine.ts';

/**
 * The fragmentation flame graph of ClickHouse's documentation (allocation profiling, 26.9), word for word but for two
 * things: the tables are a copy, so that both statements read the same rows, and a stack is its addresses, since this
 * engine has no symbols.
 */
const DOCUMENTED = `
WITH 0e9 AS min_age_ns
SELECT format('{} {}',
    if(s.est_old_objects > 0, s.stack, format('[unattributed];arena_{}_class_{}', toString(b.arena), toString(b.size))),
    toString(toUInt64(if(s.est_old_objects > 0, b.waste * s.est_old_objects / sum(s.est_old_objects) OVER (PARTITION BY b.arena, b.index), b.waste)))) AS line
FROM copied.jemalloc_arena_bins AS b
LEFT JOIN
(
    SELECT
        arena,
        size_class,
        sum(weight) AS est_old_objects,
        arrayStringConcat(arrayMap(a -> toString(a), arrayReverse(trace)), ';') AS stack
    FROM copied.jemalloc_sampled_allocations
    WHERE age_ns > min_age_ns
    GROUP BY arena, size_class, trace
) AS s ON s.size_class = b.index AND s.arena = b.arena
WHERE b.large = 0 AND b.purpose = '' AND b.waste > 0`;

let engine: Engine;
beforeAll(async () => {
  engine = await startTestEngine(14);
  await fragmentSlabs(engine, 1500);
  await engine.client.run('CREATE DATABASE copied');
  const { user, password } = engine.users.admin;
  for (const [table, columns] of [
    ['jemalloc_arena_bins', '*'],
    ['jemalloc_sampled_allocations', '*, weight'],
  ]) {
    // Through the front, which fills the table of sampled allocations first.
    const answer = await fetch(engine.url, {
      method: 'POST',
      headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password },
      body: `SELECT ${columns} FROM system.${table} LIMIT 0`,
    });
    expect(await answer.text()).toBe('');
    await engine.client.run(
      `CREATE TABLE copied.${table} ENGINE = Memory AS SELECT ${columns} FROM system.${table}`,
    );
  }
}, 120_000);
afterAll(() => engine?.[Symbol.asyncDispose]());

async function ownStacks(): Promise<ReadonlyMap<string, number>> {
  const sql = binsAndSampledObjects.sql
    .replaceAll('system.', 'copied.')
    .replaceAll('{minAgeNs:UInt64}', '0')
    .replaceAll('{stacksPerClass:UInt32}', '100000')
    .replaceAll('{ageBoundsNs:Array(UInt64)}', `[${ageBoundsNs.join(', ')}]`);
  const rows = (await engine.client.rows(sql)).map((row) => binsAndSampledObjects.row.parse(row));
  const { shares } = fragmentationOf({
    binSource: 'jemalloc_arena_bins',
    bins: rows.flatMap((row) => (row.kind === 'bin' ? [row.bin] : [])),
    holderSource: 'jemalloc_sampled_allocations',
    oldObjects: rows.flatMap((row) =>
      row.kind === 'objects' && row.objects.isOld
        ? [
            {
              ...row.objects,
              stack: [...row.objects.trace].reverse(),
              ages: toAgeCounts(row.objects.ageCounts),
            },
          ]
        : [],
    ),
    youngAges: noAges,
  });
  return sumByStack(
    wasteStacks(shares).map(({ stack, wasteBytes }) => [stack.join(';'), wasteBytes] as const),
  );
}

async function documentedStacks(): Promise<{ stacks: ReadonlyMap<string, number>; rows: number }> {
  const rows = await engine.client.rows<{ line: string }>(DOCUMENTED);
  const parsed = rows.map(({ line }) => {
    const blank = line.lastIndexOf(' ');
    return [line.slice(0, blank), Number(line.slice(blank + 1))] as const;
  });
  return { stacks: sumByStack(parsed), rows: rows.length };
}

function sumByStack(stacks: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [stack, bytes] of stacks) {
    if (bytes > 0) sums.set(stack, (sums.get(stack) ?? 0) + bytes);
  }
  return sums;
}

const total = (stacks: ReadonlyMap<string, number>) =>
  [...stacks.values()].reduce((sum, bytes) => sum + bytes, 0);

describe("our shares and the documentation's statement on the same rows", () => {
  it('find the same stacks with the same bytes, but for what the statement cuts off', async () => {
    const own = await ownStacks();
    const { stacks: documented, rows } = await documentedStacks();
    expect(documented.size).toBeGreaterThan(20);
    for (const [stack, bytes] of documented) {
      const ours = own.get(stack) ?? 0;
      // It rounds each row down; a stack may stand in several classes.
      expect(ours - bytes, stack).toBeGreaterThanOrEqual(0);
      expect(ours - bytes, stack).toBeLessThan(36);
    }
    const missing = [...own].filter(([stack]) => !documented.has(stack));
    expect(missing.every(([, bytes]) => bytes <= 1)).toBe(true);
    expect(total(own) - total(documented)).toBeGreaterThanOrEqual(0);
    expect(total(own) - total(documented)).toBeLessThan(rows);
  });

  it('add up to the waste of the bins to the byte', async () => {
    const [bins] = await engine.client.rows<{ waste: string }>(
      "SELECT toString(sum(waste)) AS waste FROM copied.jemalloc_arena_bins WHERE large = 0 AND purpose = ''",
    );
    expect(total(await ownStacks())).toBe(Number(bins?.waste));
  });
});
