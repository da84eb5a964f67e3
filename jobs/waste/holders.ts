import type { FragmentationReading, HolderSource } from '../../src/allocator/fragmentation.ts';
import { addAges, ageBoundsNs, noAges, toAgeCounts } from '../../src/allocator/object-age.ts';
import { indexOfSize } from '../../src/allocator/size-classes.ts';
import type { OldObjects } from '../../src/allocator/waste-shares.ts';
import type { Bytes, Nanoseconds } from '../../src/units.ts';
import type { SampledObjects } from '../../templates/sql/frag-arenas.ts';
import { liveSamples } from '../../templates/sql/frag-trace-log.ts';
import type { Ask } from '../ask.ts';
import { readSymbols, type Symbols } from '../symbols.ts';

export interface HoldersReading
  extends Pick<
    FragmentationReading,
    'holderSource' | 'oldObjects' | 'youngAges' | 'samplingIntervalBytes'
  > {
  readonly symbolSource: Symbols['source'] | 'trace_log';
}

/** Objects of the server's own table of sampled allocations, with their stacks named. */
export async function namedObjects(
  sampled: readonly SampledObjects[],
  ask: Ask,
): Promise<HoldersReading> {
  const old = sampled.filter(({ isOld }) => isOld);
  const symbols = await readSymbols(new Set(old.flatMap(({ trace }) => trace)), ask);
  const interval = sampled[0]?.samplingIntervalBytes;
  return {
    holderSource: sampled.length === 0 ? 'none' : 'jemalloc_sampled_allocations',
    oldObjects: old.map(
      ({ arena, classIndex, trace, objectCount, sampleCount, ageCounts }): OldObjects => ({
        ...{ arena, classIndex, objectCount, sampleCount },
        stack: rootFirst(trace.map(symbols.nameOf)),
        ages: toAgeCounts(ageCounts),
      }),
    ),
    youngAges: sampled
      .filter(({ isOld }) => !isOld)
      .reduce((sum, { ageCounts }) => addAges(sum, toAgeCounts(ageCounts)), noAges),
    symbolSource: symbols.source,
    ...(interval === undefined ? {} : { samplingIntervalBytes: interval }),
  };
}

/** How far back trace_log is searched for what still lives. */
const WINDOW_SECONDS = 86_400;
const STACKS = 20_000;

/** An estimate from the samples of queries, for servers before the table of sampled allocations. */
export async function objectsOfTraceLog(
  minAgeNs: Nanoseconds,
  samplingIntervalBytes: Bytes,
  ask: Ask,
): Promise<HoldersReading | undefined> {
  const rows = await ask('samples of queries', liveSamples, {
    window_s: WINDOW_SECONDS,
    min_age_s: Math.floor(minAgeNs / 1e9),
    age_bounds_s: ageBoundsNs.map((bound) => bound / 1e9),
    limit: STACKS,
  });
  if (rows === undefined || rows.length === 0) return undefined;
  const unnamed = rows.filter(({ symbols, trace }) => symbols.length !== trace.length);
  const symbols = await readSymbols(new Set(unnamed.flatMap(({ trace }) => trace)), ask);
  const source: HolderSource = 'trace_log';
  return {
    holderSource: source,
    oldObjects: rows.map((row): OldObjects => {
      const { sizeBytes, trace, sampleCount } = row;
      // 1 / (1 - e^(-size/R)): how many objects one sample of this size stands for (jemalloc, prof_data.c).
      const weight = 1 / -Math.expm1(-sizeBytes / samplingIntervalBytes);
      const ages = row.ageCounts.map((count) => count * weight);
      const names =
        row.symbols.length === trace.length
          ? row.symbols.map((name, depth) => name || symbols.nameOf(trace[depth] ?? '0'))
          : trace.map(symbols.nameOf);
      return {
        classIndex: indexOfSize(sizeBytes),
        stack: rootFirst(names),
        objectCount: sampleCount * weight,
        sampleCount,
        ages: toAgeCounts(ages),
      };
    }),
    youngAges: noAges,
    symbolSource: unnamed.length === 0 ? 'trace_log' : symbols.source,
    samplingIntervalBytes,
  };
}

function rootFirst(leafFirst: readonly string[]): readonly string[] {
  return [...leafFirst].reverse();
}
