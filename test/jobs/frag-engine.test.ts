import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { frag } from '../../jobs/frag.ts';
import { createClickHouse } from '../../src/clickhouse/client.ts';
import { wordsOfArguments } from '../../src/command.ts';
import { readConfig } from '../../src/config.ts';
import { formatBytes } from '../../src/format.ts';
import type { Engine } from '../../src/local/clickhouse/engine.ts';
import { fragmentSlabs } from '../../src/local/clickhouse/fragmentation.ts';
import { startTestEngine } from '../support/engine.ts';
import { jobContext } from '../support/job-context.ts';

interface WasteClass {
  readonly arena: number;
  readonly sizeBytes: number;
  readonly wasteBytes: number;
  readonly holders: readonly { readonly stack: readonly string[]; readonly wasteBytes: number }[];
}

let engine: Engine;
let clickhouse: ReturnType<typeof createClickHouse>;
beforeAll(async () => {
  // As fine as a server can sample: objects of 64 bytes would else be seen too seldom.
  engine = await startTestEngine(14);
  await fragmentSlabs(engine);
  const target = { url: engine.url, ...engine.users.memprof };
  clickhouse = createClickHouse(
    readConfig(JSON.stringify({ targets: { local: target } }), {}, 'test'),
  );
}, 120_000);
afterAll(async () => {
  await clickhouse?.[Symbol.asyncDispose]();
  await engine?.stop();
});

/** Waste by class as the bins have it, without memprof. */
async function binsWaste(): Promise<ReadonlyMap<number, number>> {
  const rows = await engine.client.rows<{ bytes: number; waste: number }>(
    `SELECT toFloat64(size) AS bytes, toFloat64(sum(greatest(curslabs * nregs * size - curregs * size, 0))) AS waste
     FROM system.jemalloc_arena_bins WHERE large = 0 AND purpose = '' GROUP BY bytes`,
  );
  return new Map(rows.map(({ bytes, waste }) => [bytes, waste]));
}

describe('frag, of waste that is really there', () => {
  it('finds the class, its bytes, and the insert that keeps it', async () => {
    const base = jobContext({ clickhouse });
    const { args } = frag.read(wordsOfArguments(['local', 'age:1s', 'min:64K']));
    const clock = { nowMicros: () => Date.now() * 1000 };
    const before = await binsWaste();
    const reply = await frag.run(args, { ...base, ports: { ...base.ports, clock } });
    const after = await binsWaste();
    const [bytes, waste] = [...after].reduce((a, b) => (b[1] > a[1] ? b : a));
    const [first] = reply.json.classes as readonly WasteClass[];
    console.log(
      `frag ${formatBytes(first?.wasteBytes ?? 0)} in ${first?.sizeBytes} B, bins ${formatBytes(waste)} in ${bytes} B: ${reply.finding}`,
    );
    expect(Number(reply.json.totalWasteBytes)).toBeGreaterThanOrEqual(4 * 2 ** 20);
    // The class that was fragmented; what questions themselves leave behind lies in others, and moves.
    expect(first?.sizeBytes).toBe(bytes);
    // Counters move while they are read: within 3 % of what they were before and after.
    const [low, high] = [before.get(bytes) ?? 0, waste].sort((a, b) => a - b) as [number, number];
    expect(first?.wasteBytes).toBeGreaterThanOrEqual(low * 0.97);
    expect(first?.wasteBytes).toBeLessThanOrEqual(high * 1.03);
    const classes = reply.json.classes as readonly WasteClass[];
    const held = classes.flatMap(({ holders }) => holders.flatMap(({ stack }) => stack)).join('\n');
    // The INSERT SELECT makes its columns with repeat() and map().
    expect(held).toMatch(/FunctionRepeat|FunctionMap/);
    expect(Number(reply.json.attributedShare)).toBeGreaterThan(0.5);
  }, 60_000);
});
