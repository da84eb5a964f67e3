import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flush } from '../../../jobs/flush.ts';
import { heap } from '../../../jobs/heap.ts';
import type { Job, JobContext, Reply } from '../../../jobs/job.ts';
import { stats } from '../../../jobs/stats.ts';
import { createClickHouse } from '../../../src/clickhouse/client.ts';
import { type Config, readConfig } from '../../../src/config.ts';
import type { Engine } from '../../../src/local/clickhouse/engine.ts';
import { startTestEngine } from '../../support/engine.ts';
import { jobContext, sourcesOf } from '../../support/job-context.ts';

let engine: Engine;
let config: Config;
let clickhouse: ReturnType<typeof createClickHouse>;

beforeAll(async () => {
  engine = await startTestEngine(14);
  // What is live: a table in memory of about 500 MiB.
  await engine.client.run('CREATE TABLE default.held (id UInt64, text String) ENGINE = Memory');
  await engine.client.run(
    "INSERT INTO default.held SELECT number, repeat('x', 90) FROM numbers(5000000)",
  );
  const { memprof, nobody } = engine.users;
  const targets = {
    prod: { ...memprof, url: engine.url },
    closed: { ...nobody, url: engine.url },
    wrong: { ...memprof, password: 'no', url: engine.url },
    keeper: { kind: 'keeper', controlUrl: engine.url },
  };
  config = readConfig(JSON.stringify({ targets }), {}, 'test');
  clickhouse = createClickHouse(config);
}, 60_000);

afterAll(async () => {
  await clickhouse[Symbol.asyncDispose]();
  await engine.stop();
});

const context = (): JobContext => jobContext({ clickhouse, sources: sourcesOf(config.targets) });
const ask = (job: Job, target: string, options = {}): Promise<Reply> =>
  job.run(job.read({ words: [target], options, raw: target }).args, context());

describe('on a live engine', () => {
  it('heap agrees with jemalloc.allocated within 3%, large allocations counted alike', async () => {
    const { json } = await ask(heap, 'prod');
    const { totalBytes, allocatedBytes, classRoundingBytes } = json;
    console.log(
      `heap ${totalBytes}, jemalloc.allocated ${allocatedBytes} and ${classRoundingBytes} of rounding to classes`,
    );
    expect(json.source).toBe('system.jemalloc_profile_text');
    expect(Math.abs(Number(json.coverage) - 1)).toBeLessThan(0.03);
    expect(Number(json.sampleCount)).toBeGreaterThan(500);
    expect(json.rows).not.toEqual([]);
  });

  it('heap counts objects, too', async () => {
    const { json } = await ask(heap, 'prod', { by: 'count', inline: 'off' });
    expect(json).toMatchObject({ measure: 'count' });
    expect(Number(json.totalCount)).toBeGreaterThan(0);
  });

  it('stats has a ledger with what nothing explains', async () => {
    const { json } = await ask(stats, 'prod');
    expect(json.ledger).not.toEqual([]);
    expect(json).toHaveProperty('unexplainedBytes');
  });

  it('flush says where the dump lies', async () => {
    const { json } = await ask(flush, 'prod');
    expect(json.paths).toEqual([expect.stringMatching(/\.heap\.symbolized$/)]);
  });

  it('says which grant is missing', async () => {
    await expect(ask(heap, 'closed')).rejects.toMatchObject({
      kind: 'grant-missing',
      paste: expect.stringMatching(/GRANT SELECT ON system\.jemalloc_profile_text TO nobody/),
    });
  });

  it('says that the password is wrong, and nothing of it', async () => {
    const failing = ask(heap, 'wrong');
    await expect(failing).rejects.toMatchObject({ kind: 'target-denied' });
    await expect(failing).rejects.not.toThrow(/no\b.*password: no/);
  });

  it('says that a Keeper target is a ClickHouse port', async () => {
    await expect(ask(heap, 'keeper')).rejects.toThrow(
      /keeper is no Keeper: a ClickHouse server answers at its controlUrl/,
    );
  });
});
