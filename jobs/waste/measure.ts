import { type Fragmentation, fragmentationOf } from '../../src/allocator/fragmentation.ts';
import { figuresOfMetrics, figuresOfStats, metricKey } from '../../src/allocator/memory-figures.ts';
import { noAges } from '../../src/allocator/object-age.ts';
import type { SlabBin, WasteScope } from '../../src/allocator/waste.ts';
import type { Figures } from '../../src/reading.ts';
import type { Bytes, EpochMicros, Nanoseconds } from '../../src/units.ts';
import { serverStart } from '../../templates/sql/frag-server.ts';
import { statsAsyncMetrics } from '../../templates/sql/stats-async-metrics.ts';
import { createAsk } from '../ask.ts';
import { createGaps, type Gap } from '../gaps.ts';
import type { JobContext } from '../job.ts';
import { type BinsReading, readBins } from './bins.ts';
import { type HoldersReading, namedObjects, objectsOfTraceLog } from './holders.ts';

export interface WasteQuestion extends WasteScope {
  readonly target: string;
  /** Objects older than this hold slabs. */
  readonly minAgeNs: Nanoseconds;
}

export interface WasteMeasurement {
  readonly target: string;
  readonly readAtMicros: EpochMicros;
  readonly serverStartedAtMicros?: EpochMicros;
  readonly fragmentation: Fragmentation;
  readonly figures: Pick<Figures, 'allocatedBytes' | 'activeBytes' | 'residentBytes' | 'rssBytes'>;
  readonly bins: readonly SlabBin[];
  readonly symbolSource: HoldersReading['symbolSource'];
  readonly gaps: readonly Gap[];
}

/** ClickHouse's default, where nobody tells the interval. */
const DEFAULT_INTERVAL_BYTES: Bytes = 2 ** 19;

const noHolders: HoldersReading = {
  holderSource: 'none',
  oldObjects: [],
  youngAges: noAges,
  symbolSource: 'none',
};

/** Reads how a server's slabs are used and who holds them, from the best sources that it has. */
export async function measureWaste(
  { target, minAgeNs, ...scope }: WasteQuestion,
  context: JobContext,
): Promise<WasteMeasurement> {
  const gaps = createGaps();
  const ask = createAsk(target, context, gaps);
  context.progress('reading the allocator');
  const metrics = new Map(
    (await ask("the server's measurements", statsAsyncMetrics, {}))?.map(({ metric, value }) => [
      metricKey(metric),
      value,
    ]),
  );
  const start = await ask("the server's uptime", serverStart, {});
  const reading = await readBins(target, minAgeNs, { ask, gaps });
  context.progress('reading who holds old objects');
  const lgSample =
    reading.stats?.options['prof.lg_sample'] ?? metrics.get('jemalloc_prof_lg_sample');
  const interval = lgSample === undefined ? DEFAULT_INTERVAL_BYTES : 2 ** Number(lgSample);
  const holders =
    reading.sampled === undefined
      ? ((await objectsOfTraceLog(minAgeNs, interval, ask)) ?? noHolders)
      : await namedObjects(reading.sampled, ask);
  const figures = figuresOf(metrics, reading);
  const startedAt = start?.[0]?.startedAtMicros;
  return {
    target,
    readAtMicros: context.ports.clock.nowMicros(),
    fragmentation: fragmentationOf(
      { ...holders, ...wholes(figures), binSource: reading.source, bins: reading.bins },
      scope,
    ),
    figures,
    bins: reading.bins,
    symbolSource: holders.symbolSource,
    gaps: gaps.all(),
    ...(startedAt === undefined ? {} : { serverStartedAtMicros: startedAt }),
  };
}

function figuresOf(
  metrics: ReadonlyMap<string, number>,
  { stats }: BinsReading,
): WasteMeasurement['figures'] {
  const read = {
    ...figuresOfMetrics(metrics, 'asynchronous_metrics', stats?.pageBytes),
    ...(stats === undefined ? {} : figuresOfStats(stats, 'jemalloc_stats')),
  };
  const { allocated, active, resident, rss } = read;
  return {
    ...(allocated === undefined ? {} : { allocatedBytes: allocated.bytes }),
    ...(active === undefined ? {} : { activeBytes: active.bytes }),
    ...(resident === undefined ? {} : { residentBytes: resident.bytes }),
    ...(rss === undefined ? {} : { rssBytes: rss.bytes }),
  };
}

function wholes({ activeBytes, rssBytes }: WasteMeasurement['figures']) {
  return {
    ...(activeBytes === undefined ? {} : { activeBytes }),
    ...(rssBytes === undefined ? {} : { rssBytes }),
  };
}
