import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../jobs/job.ts';
import { peak } from '../../../jobs/peak.ts';
import { createClickHouse } from '../../../src/clickhouse/client.ts';
import { readConfig } from '../../../src/config.ts';
import type { Engine } from '../../../src/local/clickhouse/engine.ts';
import { frameName } from '../../../src/profile/frame-table.ts';
import { messageAsText } from '../../../templates/text/message.ts';
import { startTestEngine } from '../../support/engine.ts';
import { jobContext } from '../../support/job-context.ts';

/**
 * Rows of trace_log written by hand, so that every figure can be checked on paper. MiB are used for sizes; the
 * engine samples each 64 KiB, so an object of 1 MiB stands for itself and 1/(1−e^−16) − 1 ≈ 0.00001 % more.
 */
const MIB = 2 ** 20;
const startMicros = Math.floor(Date.now() / 1000 - 3600) * 1_000_000;

interface Sample {
  readonly atMs: number;
  readonly size: number;
  readonly ptr?: number;
  readonly symbols?: readonly string[];
  readonly queryId?: string;
}

let engine: Engine;
let clickhouse: ReturnType<typeof createClickHouse>;
beforeAll(async () => {
  engine = await startTestEngine();
  const target = { url: engine.url, ...engine.users.memprof };
  clickhouse = createClickHouse(
    readConfig(JSON.stringify({ targets: { local: target } }), {}, 'test'),
  );
});
afterAll(async () => {
  await clickhouse?.[Symbol.asyncDispose]();
  await engine?.stop();
});

/** Notes a query of two seconds that ended an hour ago, and its samples. */
async function noteQuery(
  queryId: string,
  {
    type,
    samples,
    settings = {},
    initialId = queryId,
  }: {
    readonly type: string;
    readonly samples: readonly Sample[];
    readonly settings?: Readonly<Record<string, string>>;
    readonly initialId?: string;
  },
): Promise<void> {
  const seconds = startMicros / 1_000_000;
  const at = { event_date: date(seconds), event_time: seconds + 2 };
  const entry = {
    ...at,
    ...{ type: 'QueryFinish', query_id: queryId, initial_query_id: initialId, user: 'etl' },
    event_time_microseconds: `${seconds + 2}.000000`,
    query_start_time: seconds,
    query_start_time_microseconds: `${seconds}.000000`,
    query_duration_ms: 2000,
    memory_usage: 20 * MIB,
    query: "SELECT 'x'",
    Settings: settings,
  };
  await engine.client.run(
    `INSERT INTO system.query_log FORMAT JSONEachRow\n${JSON.stringify(entry)}`,
  );
  const rows = samples.map(({ atMs, size, ptr = 0, symbols = ['leaf()', 'root()'], ...more }) => ({
    ...at,
    event_time: seconds + Math.floor(atMs / 1000),
    event_time_microseconds: `${seconds}.${String(atMs * 1000).padStart(6, '0')}`,
    timestamp_ns: String(BigInt(startMicros) * 1000n + BigInt(atMs) * 1_000_000n),
    ...{ trace_type: type, query_id: more.queryId ?? queryId, size, ptr, symbols },
    trace: symbols.map(addressOf),
  }));
  const lines = rows.map((row) => JSON.stringify(row)).join('\n');
  await engine.client.run(`INSERT INTO system.trace_log FORMAT JSONEachRow\n${lines}`);
}

/** One address for one name. */
function addressOf(symbol: string): string {
  return String(Buffer.from(symbol.padEnd(6).slice(0, 6)).readUIntBE(0, 6));
}

function date(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

function ask(queryId: string): Promise<Reply> {
  const base = jobContext({ clickhouse });
  const clock = { nowMicros: () => Date.now() * 1000 };
  return peak.run({ target: 'local', queryId }, { ...base, ports: { ...base.ports, clock } });
}

describe('live memory, paired by pointer and by time', () => {
  it('ends with the free, by whichever thread it came, and with the next allocation at the same address', async () => {
    await noteQuery('paired', {
      type: 'JemallocSample',
      samples: [
        { atMs: 100, size: 10 * MIB, ptr: 1, symbols: ['a()'] },
        // Freed for another query; and what that one frees of its own is none of ours.
        { atMs: 200, size: -10 * MIB, ptr: 1, queryId: 'other' },
        { atMs: 250, size: -7 * MIB, ptr: 9 },
        // The free of this one was not seen, but something else lies there later.
        { atMs: 300, size: 8 * MIB, ptr: 2, symbols: ['b()'] },
        { atMs: 400, size: 4 * MIB, ptr: 3, symbols: ['c()'] },
        { atMs: 500, size: 2 * MIB, ptr: 2, symbols: ['d()'] },
      ],
    });
    const { json } = await ask('paired');
    // Live: 10, 0, 8, 12, 6: the peak is 8 + 4.
    expect(Number(json.estimateBytes) / MIB).toBeCloseTo(12, 3);
    expect((json.rows as { name: string }[]).map(({ name }) => name)).toEqual(['b()', 'c()']);
    const curve = json.curve as { liveBytes: number }[];
    expect(curve.map(({ liveBytes }) => Math.round(liveBytes / MIB))).toEqual([10, 0, 8, 12, 6]);
    expect(json.peaks).toHaveLength(2);
  });

  it('un-samples small objects by jemalloc’s formula', async () => {
    await noteQuery('small', {
      type: 'JemallocSample',
      samples: [{ atMs: 10, size: 64, ptr: 21 }],
    });
    const { json } = await ask('small');
    // 64 / (1 − e^(−64/65536)) = 65568.0
    expect(json.estimateBytes).toBe(65568);
    expect(json.sampleCount).toBe(1);
  });

  it('calls few samples weak, and says when no frees were recorded', async () => {
    const reply = await ask('small');
    expect(reply.finding).toMatch(/\(weak: 1 sample\)\.$/);
    const text = messageAsText([...reply.head, ...reply.tail]);
    expect(text).toContain('weak evidence');
    expect(text).toContain('No frees were recorded, so the curve can only rise');
  });

  it('keeps the order of frames: leaf first in the log, root first in the profile', async () => {
    await noteQuery('ordered', {
      type: 'JemallocSample',
      samples: [{ atMs: 10, size: MIB, ptr: 31, symbols: ['leaf()', 'middle()', 'root()'] }],
    });
    const { keep } = await ask('ordered');
    const tree = keep?.profile?.tree;
    const names = [...Array(tree?.nodeCount).keys()]
      .slice(1)
      .map((node) => tree && frameName(tree.frames, tree.frame[node] ?? 0));
    expect(names).toEqual(['root()', 'middle()', 'leaf()']);
  });

  it('adds up the parts of a distributed query that ran here', async () => {
    for (const [part, ptr] of [
      ['part-1', 41],
      ['part-2', 42],
    ] as const) {
      await noteQuery(part, {
        type: 'JemallocSample',
        initialId: 'whole',
        samples: [{ atMs: 10, size: 3 * MIB, ptr }],
      });
    }
    const reply = await ask('whole');
    expect(Number(reply.json.estimateBytes) / MIB).toBeCloseTo(6, 3);
    expect(reply.json.serverPeakBytes).toBe(40 * MIB);
    expect(messageAsText(reply.tail)).toContain('Only 2 parts of a distributed query ran here');
  });
});

describe('what is read where jemalloc left no samples', () => {
  it('MemorySample, by the probability that the query ran with', async () => {
    await noteQuery('by-chance', {
      type: 'MemorySample',
      settings: { memory_profiler_sample_probability: '0.1' },
      samples: [
        { atMs: 10, size: 2 * MIB, ptr: 51 },
        { atMs: 20, size: -2 * MIB, ptr: 51 },
      ],
    });
    const { json } = await ask('by-chance');
    expect(json).toMatchObject({
      sampleType: 'MemorySample',
      estimateBytes: 20 * MIB,
      samplingIntervalBytes: null,
    });
    expect(String(json.notes)).toContain('memory_profiler_sample_probability = 0.1');
  });

  it('MemorySample of a probability that nobody knows, and says that the figures are of the samples', async () => {
    await noteQuery('unknown-chance', {
      type: 'MemorySample',
      samples: [{ atMs: 10, size: 2 * MIB, ptr: 61 }],
    });
    const { json } = await ask('unknown-chance');
    expect(json.estimateBytes).toBe(2 * MIB);
    expect(String(json.notes)).toContain('the figures are of the samples themselves');
  });

  it.each(['MemoryPeak', 'Memory'])(
    '%s, and says that it tells who grew, not who held',
    async (type) => {
      await noteQuery(`steps-${type}`, {
        type,
        samples: [
          { atMs: 10, size: 4 * MIB, symbols: ['grow()'] },
          { atMs: 20, size: 4 * MIB, symbols: ['grow()'] },
        ],
      });
      const { json } = await ask(`steps-${type}`);
      expect(json).toMatchObject({ sampleType: type, estimateBytes: 8 * MIB });
      expect(String(json.notes)).toContain('who grew it is told, not who held it');
    },
  );

  it('only frees: nothing to show, and why', async () => {
    await noteQuery('frees', {
      type: 'JemallocSample',
      samples: [{ atMs: 10, size: -MIB, ptr: 71 }],
    });
    await expect(ask('frees')).rejects.toMatchObject({
      kind: 'no-samples',
      why: 'all its JemallocSample rows are frees of what others allocated',
    });
  });
});
