import type { Dumps } from './dumps.ts';
import type { EngineClient } from './engine-client.ts';
import { addressesOf, parseHeapDump } from './heap-dump.ts';
import { type AllocationEvent, LiveObjects } from './live-objects.ts';
import type { FunctionNames } from './names/function-names.ts';

/** Rest between two dumps: short, since a peak between two dumps is lost, but most of the time is the query's. */
const REST_MS = 8;

/** Samples queries by the difference of heap dumps, and keeps the objects that live. */
export interface QuerySampler {
  /** Runs what sends a query on and returns when it has ended; its samples are then in system.trace_log. */
  sample(queryId: string, runQuery: () => Promise<void>): Promise<void>;
  /** Waits until the samples of all queries that have ended are written. */
  written(): Promise<void>;
  /** One dump more, so that the live objects are those of now. */
  refresh(): Promise<LiveObjects>;
  readonly samplingIntervalBytes: number;
}

export function createQuerySampler(
  client: EngineClient,
  dumps: Dumps,
  names: FunctionNames,
): QuerySampler {
  const objects = new LiveObjects();
  let samplingIntervalBytes = 0;
  const follow = async () => {
    const { text, atMicros } = await dumps.take();
    const dump = parseHeapDump(text);
    samplingIntervalBytes = dump.samplingIntervalBytes;
    return objects.follow(dump, atMicros);
  };
  // One sampled query at a time: dumps do not tell which query a thread worked for.
  let turn: Promise<unknown> = Promise.resolve();
  const sample = async (queryId: string, runQuery: () => Promise<void>) => {
    await follow();
    const events: AllocationEvent[] = [];
    let isRunning = true;
    const query = runQuery().finally(() => {
      isRunning = false;
    });
    while (isRunning) {
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      append(events, await follow());
    }
    append(events, await follow());
    await writeSamples(client, names, queryId, events);
    await query;
  };
  return {
    sample: (queryId, runQuery) => {
      const mine = turn.then(() => sample(queryId, runQuery));
      turn = mine.catch(() => {});
      return mine;
    },
    written: async () => {
      await turn;
    },
    refresh: async () => {
      await follow();
      return objects;
    },
    get samplingIntervalBytes() {
      return samplingIntervalBytes;
    },
  };
}

function append(events: AllocationEvent[], more: readonly AllocationEvent[]): void {
  for (const event of more) events.push(event);
}

/** Rows as clickhouse-server writes them: leaf first, positive size for an allocation, negative for a free. */
async function writeSamples(
  client: EngineClient,
  names: FunctionNames,
  queryId: string,
  events: readonly AllocationEvent[],
): Promise<void> {
  const own = new Set<bigint>();
  const rows: string[] = [];
  for (const { kind, stackKey, object, atMicros } of events) {
    const addresses = addressesOf(stackKey);
    if (names.isBackground(addresses)) continue;
    if (kind === 'allocation') own.add(object.ptr);
    else if (!own.has(object.ptr)) continue;
    const seconds = Math.floor(atMicros / 1e6);
    rows.push(
      JSON.stringify({
        hostname: 'embedded',
        event_date: new Date(seconds * 1000).toISOString().slice(0, 10),
        event_time: seconds,
        event_time_microseconds: `${seconds}.${String(atMicros % 1e6).padStart(6, '0')}`,
        timestamp_ns: String(BigInt(atMicros) * 1000n),
        trace_type: 'JemallocSample',
        query_id: queryId,
        trace: addresses.map((address) => String(BigInt(address))),
        symbols: addresses.map((address) => names.of(address)),
        size: String(kind === 'allocation' ? object.sizeBytes : -object.sizeBytes),
        ptr: String(object.ptr),
      }),
    );
  }
  if (rows.length === 0) return;
  await client.run(
    `INSERT INTO system.trace_log (hostname, event_date, event_time, event_time_microseconds, timestamp_ns, trace_type, query_id, trace, symbols, size, ptr) FORMAT JSONEachRow\n${rows.join('\n')}`,
  );
}
