import type { Bytes } from '../units.ts';
import type { Figure, FigureName, Figures, Holder } from './memory-facts.ts';
import type { AllocatorStats } from './stats.ts';
import { dirtyBytes, sumArena } from './stats-sums.ts';

/** Counters of a server by name, dots as underscores: SQL says `jemalloc.active`, Prometheus `jemalloc_active`. */
export type Metrics = ReadonlyMap<string, number>;

export function metricKey(name: string): string {
  return name.replaceAll('.', '_');
}

/** Which metric is which figure. The first one that is there counts: names have changed over the years. */
const METRICS: Readonly<Partial<Record<FigureName, readonly string[]>>> = {
  hostTotal: ['OSMemoryTotal'],
  cgroupLimit: ['CGroupMemoryTotal', 'CGroupMemoryLimit'],
  cgroupUsed: ['CGroupMemoryUsed'],
  rss: ['MemoryResident'],
  rssWithoutPageCache: ['MemoryResidentWithoutPageCache'],
  shared: ['MemoryShared'],
  resident: ['jemalloc_resident'],
  active: ['jemalloc_active'],
  allocated: ['jemalloc_allocated'],
  metadata: ['jemalloc_metadata'],
  mapped: ['jemalloc_mapped'],
  retained: ['jemalloc_retained'],
  mergeTreeArena: ['jemalloc_mergetree_arena_active_bytes'],
  tracked: ['MemoryTracking'],
};

/** Metrics that count pages. */
const PAGE_METRICS: Readonly<Partial<Record<FigureName, string>>> = {
  dirty: 'jemalloc_arenas_all_pdirty',
};

/** `source` names the table or endpoint: "asynchronous_metrics". Without a page size nothing that counts pages is read. */
export function figuresOfMetrics(
  metrics: Metrics,
  source: string,
  pageBytes: Bytes | undefined,
): Figures {
  const figures: Partial<Record<FigureName, Figure>> = {};
  const put = (figure: string, name: string, unitBytes: Bytes) => {
    const value = metrics.get(name);
    if (value === undefined || !Number.isFinite(value)) return;
    figures[figure as FigureName] ??= { bytes: value * unitBytes, source: `${source}: ${name}` };
  };
  for (const [figure, names] of Object.entries(METRICS)) {
    for (const name of names) put(figure, name, 1);
  }
  if (pageBytes !== undefined) {
    for (const [figure, name] of Object.entries(PAGE_METRICS)) put(figure, name, pageBytes);
  }
  // Servers without a limit of their own report none as 0, and a cgroup without one as a number beyond any memory.
  for (const figure of ['cgroupLimit', 'cgroupUsed', 'mergeTreeArena'] as const) {
    const bytes = figures[figure]?.bytes;
    if (bytes === 0 || (bytes ?? 0) > 2 ** 60) delete figures[figure];
  }
  return figures;
}

/** Active memory is given in bytes and in pages: the page size, where both are of about one moment. */
export function pageBytesOfMetrics(metrics: Metrics): Bytes | undefined {
  const bytes = metrics.get('jemalloc_active') ?? 0;
  const pages = metrics.get('jemalloc_arenas_all_pactive') ?? 0;
  return PAGE_SIZES.find((pageBytes) => Math.abs(bytes / pages / pageBytes - 1) < 0.2);
}

/** Of the processors that ClickHouse runs on. */
const PAGE_SIZES: readonly Bytes[] = [4096, 16_384, 65_536];

/** jemalloc's own text; reading it makes its counters current. */
export function figuresOfStats(stats: AllocatorStats, source: string): Figures {
  const { totals, merged } = stats;
  const figure = (bytes: Bytes): Figure => ({ bytes, source });
  const optional = (name: FigureName, bytes: Bytes | undefined): Figures =>
    bytes === undefined ? {} : { [name]: figure(bytes) };
  return {
    resident: figure(totals.residentBytes),
    active: figure(totals.activeBytes),
    allocated: figure(totals.allocatedBytes),
    // What lies in pages of its own; the rest of the metadata lies in active ones.
    metadata: figure(merged.memory.base ?? totals.metadataBytes),
    mapped: figure(totals.mappedBytes),
    slabWaste: figure(sumArena(merged, stats.pageBytes).slabWasteBytes),
    ...optional('retained', totals.retainedBytes),
    ...optional('dirty', dirtyBytes(stats)),
    ...optional('threadCaches', merged.memory.tcache_bytes),
  };
}

const CACHE = /^([A-Z][A-Za-z]*Cache)Bytes$/;
/** Caches on disk. */
const NOT_MEMORY = /^(?:FilesystemCache|FileCache|DistributedCache|ReadBufferFromS3)/;

/** Caches that say how large they are, largest first. */
export function cachesOfMetrics(metrics: Metrics, source: string): readonly Holder[] {
  return [...metrics]
    .flatMap(([metric, bytes]): readonly Holder[] => {
      const name = CACHE.exec(metric)?.[1];
      if (name === undefined || NOT_MEMORY.test(name) || !(bytes > 0)) return [];
      return [{ kind: 'cache', name: wordsOf(name), bytes, source: `${source}: ${metric}` }];
    })
    .sort((a, b) => b.bytes - a.bytes || a.name.localeCompare(b.name));
}

/** "CompiledExpressionCache" → "compiled expression cache". */
function wordsOf(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
