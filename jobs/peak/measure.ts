import type { Capabilities } from '../../src/capabilities.ts';
import { hasColumn } from '../../src/capabilities.ts';
import type { CurvePoint, MemoryCurve } from '../../src/chart/memory-curve.ts';
import { separatePeaks } from '../../src/chart/peaks.ts';
import { Failure } from '../../src/failure.ts';
import {
  countOldSamples,
  countSamples,
  pairedCurve,
  pairedStacks,
  pairedStacksWithoutSymbols,
  unpairedCurve,
  unpairedStacks,
  unpairedStacksWithoutSymbols,
} from '../../templates/sql/peak-samples.ts';
import type { JobContext } from '../job.ts';
import type { FoundQuery } from './find.ts';
import { chooseSource, type SampleSource } from './source.ts';

export type StackRow = ReturnType<(typeof pairedStacks.row)['parse']>;

/** The memory of a query as its samples tell it. */
export interface Measured {
  readonly source: SampleSource;
  readonly curve: MemoryCurve;
  /** The highest point of the curve. */
  readonly peak: CurvePoint;
  /** What was live at the peak, by stack, the largest first. */
  readonly stacks: readonly StackRow[];
  /** More stacks than are read. */
  readonly isCut: boolean;
}

const BUCKETS = 1200;
const MAX_STACKS = 20_000;
const MARKED_PEAKS = 3;
/** Clocks of threads differ a little, and a query's start is noted after its first allocation. */
const MARGIN_MICROS = 1_000_000;

export async function measureQuery(
  target: string,
  { query, capabilities }: { readonly query: FoundQuery; readonly capabilities: Capabilities },
  context: JobContext,
): Promise<Measured> {
  const { ports, signal } = context;
  const endMicros = query.startMicros + query.durationMs * 1000;
  const span = {
    query_ids: [...query.sampledIds],
    from_micros: query.startMicros - MARGIN_MICROS,
    until_micros: Math.ceil(endMicros) + MARGIN_MICROS,
  };
  const count = capabilities.traceTypes.has('JemallocSample') ? countSamples : countOldSamples;
  context.progress('reading samples');
  const counts = await ports.clickhouse.rows(target, count, span, { signal });
  const source = chooseSource(counts, query, { name: target, capabilities });
  const weights = {
    trace_type: source.traceType,
    interval_bytes: source.intervalBytes,
    scale: source.scale,
  };
  const points = await ports.clickhouse.rows(
    target,
    source.isPaired ? pairedCurve : unpairedCurve,
    { ...span, ...weights, buckets: BUCKETS },
    { signal },
  );
  const highest = points.reduce<(typeof points)[number] | undefined>(
    (a, b) => (a === undefined || b.highestBytes > a.highestBytes ? b : a),
    undefined,
  );
  if (highest === undefined || highest.highestBytes <= 0) throw onlyFrees(target, query, source);
  context.progress('finding what was live at the peak');
  const stacks = await ports.clickhouse.rows(
    target,
    stacksQuery(source, capabilities),
    { ...span, ...weights, peak_ns: highest.atNs, limit: MAX_STACKS },
    { signal },
  );
  const curvePoints = points.flatMap(toPoints);
  return {
    source,
    peak: { atMicros: highest.atMicros, liveBytes: highest.highestBytes },
    curve: {
      points: curvePoints,
      peaks: separatePeaks(curvePoints, MARKED_PEAKS),
      startAtMicros: query.startMicros,
      endAtMicros: endMicros,
      ...(query.serverPeakBytes > 0 ? { serverPeakBytes: query.serverPeakBytes } : {}),
    },
    stacks,
    isCut: stacks.length === MAX_STACKS,
  };
}

function stacksQuery({ isPaired }: SampleSource, capabilities: Capabilities) {
  if (hasColumn(capabilities, 'trace_log', 'symbols')) {
    return isPaired ? pairedStacks : unpairedStacks;
  }
  return isPaired ? pairedStacksWithoutSymbols : unpairedStacksWithoutSymbols;
}

/** The highest point of a bucket, and where it ends: a curve of whole bytes. */
function toPoints(row: ReturnType<(typeof pairedCurve.row)['parse']>): readonly CurvePoint[] {
  const highest = { atMicros: row.atMicros, liveBytes: Math.round(row.highestBytes) };
  const last = Math.round(row.lastBytes);
  return last === highest.liveBytes
    ? [highest]
    : [highest, { atMicros: row.atMicros, liveBytes: last }];
}

function onlyFrees(target: string, query: FoundQuery, { traceType }: SampleSource): Failure {
  return new Failure('no-samples', {
    what: `Query ${query.queryId} left no allocations among its samples on ${target}`,
    why: `all its ${traceType} rows are frees of what others allocated`,
    fix: 'Run it again under the profiler; if it stays so, look at the query that fills what this one frees',
  });
}
