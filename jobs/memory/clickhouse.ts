import { pageBytesOf, type SizeClassCounters, toSizeClasses } from '../../src/allocator/bins.ts';
import { growthOf } from '../../src/allocator/growth.ts';
import type { Figure, Figures, MemoryFacts } from '../../src/allocator/memory-facts.ts';
import {
  cachesOfMetrics,
  figuresOfMetrics,
  figuresOfStats,
  type Metrics,
  metricKey,
  pageBytesOfMetrics,
} from '../../src/allocator/memory-figures.ts';
import type { AllocatorStats } from '../../src/allocator/stats.ts';
import { parseStatsText } from '../../src/allocator/stats-text.ts';
import { type LedgerHistory, toLedgerHistory } from '../../src/chart/ledger-history.ts';
import { serverStart } from '../../templates/sql/frag-server.ts';
import { statsAsyncMetrics } from '../../templates/sql/stats-async-metrics.ts';
import { statsBins } from '../../templates/sql/stats-bins.ts';
import { statsHistory, statsHistoryTracked } from '../../templates/sql/stats-history.ts';
import { statsLimits } from '../../templates/sql/stats-limits.ts';
import { statsMetrics } from '../../templates/sql/stats-metrics.ts';
import { statsText } from '../../templates/sql/stats-text.ts';
import { type Ask, createAsk } from '../ask.ts';
import { createGaps, type Gaps, nothingLeft } from '../gaps.ts';
import type { JobContext } from '../job.ts';
import { holdersOfClickHouse } from './holders.ts';
import type { MemoryReading } from './reading.ts';
import { visibilityNotes } from './visibility.ts';

const HISTORY = { span_s: 6 * 3600, step_s: 120 };
const STATISTICS = "the allocator's own statistics";

/** Reads a ClickHouse server's account of its memory, each part from its own table, without those it lacks. */
export async function memoryOfClickHouse(
  target: string,
  context: JobContext,
): Promise<MemoryReading> {
  const gaps = createGaps();
  const ask = createAsk(target, context, gaps);
  context.progress('reading the allocator');
  const allocator = await readAllocator(ask, gaps);
  context.progress('reading what the server accounts for');
  const { figures, holders, pageBytes } = await readAccounts(ask, allocator);
  if (Object.keys(figures).length === 0) {
    throw nothingLeft(`${target} says nothing of its memory that memprof can read`, gaps.all());
  }
  context.progress('reading the last hours');
  const history = await readHours(ask);
  const allocated = history?.series.find(({ level }) => level === 'allocated');
  const growth = growthOf(allocated?.points ?? []);
  const { stats, text } = allocator;
  return {
    facts: { server: 'clickhouse', figures, holders, pageBytes, stats, growth },
    readAtMicros: context.ports.clock.nowMicros(),
    startedAtMicros: (await ask('the start of the server', serverStart, {}))?.[0]?.startedAtMicros,
    history,
    statsText: text,
    gaps: gaps.all(),
    notes: await visibilityNotes(target, context),
  };
}

interface AllocatorReading {
  readonly text: string | undefined;
  readonly stats: AllocatorStats | undefined;
  readonly bins: readonly SizeClassCounters[];
}

/** The text first, since reading it makes jemalloc's counters current for all that comes after. */
async function readAllocator(ask: Ask, gaps: Gaps): Promise<AllocatorReading> {
  const text = (await ask(STATISTICS, statsText, {}))?.[0]?.stats;
  const stats =
    text === undefined
      ? undefined
      : await gaps.attempt(STATISTICS, async () => parseStatsText(text));
  return { text, stats, bins: (await ask('size classes', statsBins, {})) ?? [] };
}

async function readAccounts(
  ask: Ask,
  { stats, bins }: AllocatorReading,
): Promise<Pick<MemoryFacts, 'figures' | 'holders' | 'pageBytes'>> {
  const measured = toMetrics(await ask("the server's measurements", statsAsyncMetrics, {}));
  const current = toMetrics(await ask("the server's counters", statsMetrics, {}));
  const pageBytes = stats?.pageBytes ?? pageBytesOf(bins) ?? pageBytesOfMetrics(measured);
  const figures: Figures = {
    ...figuresOfMetrics(measured, 'asynchronous_metrics', pageBytes),
    ...figuresOfMetrics(current, 'metrics', pageBytes),
    ...figuresOfBins(bins),
    ...(stats === undefined ? {} : figuresOfStats(stats, 'jemalloc_stats')),
  };
  const serverLimit = await limitOf(ask, figures);
  const holders = [
    ...cachesOfMetrics(current, 'metrics'),
    // Caches have moved from one table to the other over the years.
    ...cachesOfMetrics(without(measured, current), 'asynchronous_metrics'),
    ...(await holdersOfClickHouse(ask, figures, current)),
  ].sort((a, b) => b.bytes - a.bytes);
  return {
    figures: { ...figures, ...(serverLimit === undefined ? {} : { serverLimit }) },
    holders,
    pageBytes,
  };
}

async function readHours(ask: Ask): Promise<LedgerHistory | undefined> {
  return toLedgerHistory([
    ...((await ask('the last hours', statsHistory, HISTORY)) ?? []),
    ...((await ask('the last hours of the tracker', statsHistoryTracked, HISTORY)) ?? []),
  ]);
}

function toMetrics(
  rows: readonly { readonly metric: string; readonly value: number }[] = [],
): Metrics {
  return new Map(rows.map(({ metric, value }) => [metricKey(metric), value]));
}

function without(metrics: Metrics, others: Metrics): Metrics {
  return new Map([...metrics].filter(([name]) => !others.has(name)));
}

function figuresOfBins(bins: readonly SizeClassCounters[]): Figures {
  const { slabWasteBytes } = toSizeClasses(bins, undefined);
  if (slabWasteBytes === undefined) return {};
  return { slabWaste: { bytes: slabWasteBytes, source: 'jemalloc_bins' } };
}

/** A limit of 0 means a share of the memory that the server may see. */
async function limitOf(ask: Ask, figures: Figures): Promise<Figure | undefined> {
  const settings = new Map(
    (await ask("the server's limits", statsLimits, {}))?.map(({ name, value }) => [name, value]),
  );
  const bytes = settings.get('max_server_memory_usage') ?? 0;
  if (bytes > 0) return { bytes, source: 'server_settings: max_server_memory_usage' };
  const ratio = settings.get('max_server_memory_usage_to_ram_ratio') ?? 0;
  const whole = figures.cgroupLimit ?? figures.hostTotal;
  if (whole === undefined || ratio <= 0) return undefined;
  const source = 'server_settings: max_server_memory_usage_to_ram_ratio';
  return { bytes: whole.bytes * ratio, source };
}
