import { indexOfSize } from '../../allocator/size-classes.ts';
import type { EngineClient } from './engine-client.ts';
import { addressesOf } from './heap-dump.ts';
import type { HeapFollower } from './heap-follower.ts';
import { sampledAllocationsTable } from './views.ts';

/** Keeps system.jemalloc_sampled_allocations: one row for each sampled object that lives now. */
export interface SampledAllocations {
  /** Puts the objects of this moment in place of the former ones; a reader sees all of either. */
  refill(): Promise<void>;
}

const TABLE = 'system.jemalloc_sampled_allocations';

export function createSampledAllocations(
  client: EngineClient,
  follower: HeapFollower,
): SampledAllocations {
  const refill = async () => {
    await follower.step();
    const rows = [...rowsOf(follower, Date.now() * 1000)];
    await client.run(sampledAllocationsTable(`${TABLE}_next`));
    if (rows.length > 0) {
      await client.run(`INSERT INTO ${TABLE}_next FORMAT JSONEachRow\n${rows.join('\n')}`);
    }
    await client.run(`EXCHANGE TABLES ${TABLE}_next AND ${TABLE}`);
    await client.run(`DROP TABLE ${TABLE}_next`);
  };
  let turn: Promise<void> = Promise.resolve();
  return {
    refill: () => {
      const mine = turn.then(refill);
      turn = mine.catch(() => {});
      return mine;
    },
  };
}

function* rowsOf(
  { objects, samplingIntervalBytes }: HeapFollower,
  nowMicros: number,
): Iterable<string> {
  for (const { stackKey, uid, live } of objects.all()) {
    const addresses = addressesOf(stackKey).map((address) => BigInt(address));
    // The server's table has callers reduced by one already, the leaf as it is.
    const trace = addresses.map((address, depth) => String(depth === 0 ? address : address - 1n));
    for (const { sizeBytes, bornAtMicros } of live) {
      yield JSON.stringify({
        trace,
        age_ns: String(Math.max(0, nowMicros - bornAtMicros) * 1000),
        size: sizeBytes,
        usize: sizeBytes,
        size_class: indexOfSize(sizeBytes),
        arena: 0,
        thr_uid: uid,
        sample_interval: samplingIntervalBytes,
      });
    }
  }
}
