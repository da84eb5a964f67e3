import { Failure } from '../../src/failure.ts';
import { formatDuration } from '../../src/format.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { TreeBuilder } from '../../src/profile/tree-builder.ts';
import type { Bytes } from '../../src/units.ts';
import { heapTrace } from '../../templates/sql/heap-trace.ts';
import type { JobContext } from '../job.ts';

const SPAN_S = 3600;
const MAX_STACKS = 20_000;

/** What was allocated within the last hour and is live, from the samples that the global profiler put in trace_log. */
export async function traceProfileOf(
  target: string,
  intervalBytes: Bytes,
  { ports, signal }: JobContext,
): Promise<Profile> {
  const params = { interval_bytes: intervalBytes, span_s: SPAN_S, limit: MAX_STACKS };
  const rows = await ports.clickhouse.rows(target, heapTrace, params, { signal });
  if (rows.length === 0) throw noSamples(target);
  const tree = new TreeBuilder();
  let [totalBytes, totalCount, sampleCount] = [0, 0, 0];
  for (const { stack, liveBytes, objectCount, sampleCount: samples } of rows) {
    tree.add(stack, { bytes: liveBytes, count: objectCount, samples });
    totalBytes += liveBytes;
    totalCount += objectCount;
    sampleCount += samples;
  }
  return {
    kind: 'trace_log',
    tree: tree.build(),
    unit: 'bytes',
    ...{ totalBytes, totalCount, sampleCount, samplingIntervalBytes: intervalBytes },
    stackCount: rows.length,
    unsampled: true,
    skippedLines: 0,
    firstSkipped: [],
    notes: [
      `Only what was allocated within the last ${formatDuration(SPAN_S * 1000)} is seen: trace_log holds samples, not the heap`,
      ...(rows.length === MAX_STACKS ? [`Only the ${MAX_STACKS} largest stacks were read`] : []),
    ],
  };
}

function noSamples(target: string): Failure {
  return new Failure('no-samples', {
    what: `trace_log of ${target} has no samples of the last hour`,
    why: 'the global profiler does not write them there',
    fix: 'Switch both on in the config of the server and restart it; trace_log then grows fast, so only for a while',
    paste:
      '<jemalloc_enable_global_profiler>1</jemalloc_enable_global_profiler>\n<jemalloc_collect_global_profile_samples_in_trace_log>1</jemalloc_collect_global_profile_samples_in_trace_log>',
  });
}
