import { indexOfSize } from '../../allocator/size-classes.ts';
import type { EngineClient } from './engine-client.ts';
import { addressesOf } from './heap-dump.ts';
import type { QuerySampler } from './query-sampler.ts';

/** Fills system.jemalloc_sampled_allocations with one row for each sampled object that lives now. */
export async function refillSampledAllocations(
  client: EngineClient,
  sampler: QuerySampler,
): Promise<void> {
  const live = await sampler.refresh();
  const nowMicros = Date.now() * 1000;
  const rows: string[] = [];
  for (const [stackKey, objects] of live.all()) {
    const addresses = addressesOf(stackKey).map((address) => BigInt(address));
    // The server's table has callers reduced by one already, the leaf as it is.
    const trace = addresses.map((address, depth) => String(depth === 0 ? address : address - 1n));
    for (const { sizeBytes, bornAtMicros } of objects) {
      rows.push(
        JSON.stringify({
          trace,
          age_ns: String(Math.max(0, nowMicros - bornAtMicros) * 1000),
          size: sizeBytes,
          usize: sizeBytes,
          size_class: indexOfSize(sizeBytes),
          arena: 0,
          thr_uid: 0,
          sample_interval: sampler.samplingIntervalBytes,
        }),
      );
    }
  }
  await client.run('TRUNCATE TABLE system.jemalloc_sampled_allocations');
  if (rows.length === 0) return;
  await client.run(
    `INSERT INTO system.jemalloc_sampled_allocations (trace, age_ns, size, usize, size_class, arena, thr_uid, sample_interval) FORMAT JSONEachRow\n${rows.join('\n')}`,
  );
}
