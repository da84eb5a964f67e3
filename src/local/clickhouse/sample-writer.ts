import type { EngineClient } from './engine-client.ts';
import { addressesOf } from './heap-dump.ts';
import type { AllocationEvent } from './live-objects.ts';
import type { FunctionNames } from './names/function-names.ts';
import type { ThreadId } from './thread-ids.ts';

export type SampleEvent = AllocationEvent & { readonly threadId: ThreadId };

/** Writes samples into system.trace_log. */
export interface SampleWriter {
  write(queryId: string, events: Iterable<SampleEvent>): Promise<void>;
}

const ROWS_AT_ONCE = 4000;
const INSERT = `INSERT INTO system.trace_log (hostname, event_date, event_time, event_time_microseconds, timestamp_ns,
  trace_type, thread_id, query_id, trace, symbols, size, ptr) FORMAT JSONEachRow\n`;

export function createSampleWriter(client: EngineClient, names: FunctionNames): SampleWriter {
  return {
    write: async (queryId, events) => {
      let rows: string[] = [];
      const flush = async () => {
        if (rows.length > 0) await client.run(`${INSERT}${rows.join('\n')}`);
        rows = [];
      };
      for (const event of events) {
        rows.push(JSON.stringify(rowOf(queryId, event, names)));
        if (rows.length === ROWS_AT_ONCE) await flush();
      }
      await flush();
    },
  };
}

/** A row as clickhouse-server writes it: leaf first, positive size for an allocation, negative for a free. */
function rowOf(queryId: string, event: SampleEvent, names: FunctionNames): object {
  const { kind, stackKey, object, atMicros, threadId } = event;
  const addresses = addressesOf(stackKey);
  const seconds = Math.floor(atMicros / 1e6);
  return {
    hostname: 'embedded',
    event_date: new Date(seconds * 1000).toISOString().slice(0, 10),
    event_time: seconds,
    event_time_microseconds: `${seconds}.${String(atMicros % 1e6).padStart(6, '0')}`,
    timestamp_ns: String(BigInt(atMicros) * 1000n),
    trace_type: 'JemallocSample',
    thread_id: threadId,
    query_id: queryId,
    trace: addresses.map((address) => String(BigInt(address))),
    symbols: addresses.map((address) => names.of(address)),
    size: kind === 'allocation' ? object.sizeBytes : -object.sizeBytes,
    ptr: String(object.ptr),
  };
}
