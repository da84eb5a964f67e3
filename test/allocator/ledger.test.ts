import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ledgerOf } from '../../src/allocator/ledger.ts';
import {
  cachesOfMetrics,
  figuresOfMetrics,
  figuresOfStats,
  pageBytesOfMetrics,
} from '../../src/allocator/memory-figures.ts';
import { parseStatsText } from '../../src/allocator/stats-text.ts';
import { holder, MiB, memoryFacts } from '../support/memory-facts.ts';

const partsOf = (ledger: ReturnType<typeof ledgerOf>, wanted: string) =>
  Object.fromEntries(
    ledger.levels
      .find(({ name }) => name === wanted)!
      .parts.map(({ name, bytes }) => [name, bytes]),
  );

describe('ledgerOf', () => {
  it('goes from RSS down to allocated and beside it to what the server tracks', () => {
    const ledger = ledgerOf(
      memoryFacts(
        {
          rss: 700 * MiB,
          resident: 600 * MiB,
          active: 400 * MiB,
          dirty: 180 * MiB,
          metadata: 15 * MiB,
          allocated: 380 * MiB,
          slabWaste: 12 * MiB,
          tracked: 390 * MiB,
        },
        { holders: [holder('cache', 100 * MiB), holder('query', 200 * MiB)] },
      ),
    );
    expect(ledger.levels.map(({ name }) => name)).toEqual(
      'RSS resident active allocated tracked'.split(' '),
    );
    expect(partsOf(ledger, 'RSS')).toEqual({
      resident: 600 * MiB,
      'outside the allocator': 100 * MiB,
    });
    expect(partsOf(ledger, 'resident')).toEqual({
      active: 400 * MiB,
      'dirty pages': 180 * MiB,
      "the allocator's own data": 15 * MiB,
      'other pages': 5 * MiB,
    });
    expect(partsOf(ledger, 'active')).toEqual({
      allocated: 380 * MiB,
      'free room in slabs': 12 * MiB,
      'rounding and padding of large objects': 8 * MiB,
    });
    expect(partsOf(ledger, 'allocated')).toEqual({
      'some cache': 100 * MiB,
      'some query': 200 * MiB,
      unexplained: 80 * MiB,
    });
    expect(partsOf(ledger, 'tracked')).toEqual({
      allocated: 380 * MiB,
      'drift of the tracker': 10 * MiB,
    });
    expect(ledger.unexplainedBytes).toBe(80 * MiB);
  });

  it('takes pages of files out of what is outside the allocator', () => {
    const ledger = ledgerOf(memoryFacts({ rss: 700, resident: 500, shared: 150 }));
    expect(partsOf(ledger, 'RSS')).toEqual({
      resident: 500,
      'program and mapped files': 150,
      'outside the allocator': 50,
    });
    const more = ledgerOf(memoryFacts({ rss: 700, resident: 600, shared: 150 }));
    expect(partsOf(more, 'RSS')).toMatchObject({ 'program and mapped files': 100 });
  });

  it('leaves out levels that are not known and never takes them for zero', () => {
    const ledger = ledgerOf(memoryFacts({ rss: 700, allocated: 300 }));
    expect(ledger.levels.map(({ name }) => name)).toEqual(['RSS', 'allocated']);
    expect(partsOf(ledger, 'RSS')).toEqual({ 'outside the allocator': 700 });
    expect(ledgerOf(memoryFacts({ rss: 700 })).unexplainedBytes).toBeUndefined();
  });

  it('names the rest after what could not be told apart', () => {
    const ledger = ledgerOf(memoryFacts({ resident: 10, active: 6, allocated: 5 }));
    expect(partsOf(ledger, 'resident')).toEqual({ active: 6, 'dirty and other pages': 4 });
    expect(partsOf(ledger, 'active')).toEqual({ allocated: 5, fragmentation: 1 });
  });

  it('adds up to the byte, whatever the counters say', () => {
    const bytes = fc.option(fc.integer({ min: 0, max: 2 ** 44 }), { nil: undefined });
    const names = [
      'rss',
      'resident',
      'active',
      'dirty',
      'metadata',
      'allocated',
      'slabWaste',
      'tracked',
    ];
    fc.assert(
      fc.property(fc.array(bytes, { minLength: 8, maxLength: 8 }), (values) => {
        const known = names.map((name, index) => [name, values[index]] as const);
        const facts = memoryFacts(
          Object.fromEntries(known.filter(([, value]) => value !== undefined)),
        );
        for (const { bytes: whole, parts } of ledgerOf(facts).levels) {
          expect(parts.reduce((sum, part) => sum + part.bytes, 0)).toBe(whole);
        }
      }),
    );
  });

  it('accounts for every byte of the statistics of a live engine', () => {
    const stats = parseStatsText(
      readFileSync('test/fixtures/allocator/stats-26.7.2.1.txt', 'utf8'),
    );
    const figures = figuresOfStats(stats, 'jemalloc_stats');
    const ledger = ledgerOf({ ...memoryFacts({}), figures, stats });
    expect(partsOf(ledger, 'resident')).toEqual({
      active: 301_629_440,
      'dirty pages': 290_738_176,
      "the allocator's own data": 13_127_760,
      'other pages': 16_304,
    });
    expect(partsOf(ledger, 'active')).toEqual({
      allocated: 297_829_840,
      'free room in slabs': 1_178_160,
      'rounding and padding of large objects': 2_621_440,
    });
  });
});

describe('figuresOfMetrics', () => {
  it('multiplies pages by the page size and reads none without it', () => {
    const metrics = new Map([['jemalloc_arenas_all_pdirty', 1000]]);
    expect(figuresOfMetrics(metrics, 'async', 65_536).dirty).toEqual({
      bytes: 65_536_000,
      source: 'async: jemalloc_arenas_all_pdirty',
    });
    expect(figuresOfMetrics(metrics, 'async', undefined)).toEqual({});
  });

  it('takes a cgroup without a limit as none, and nan as nothing', () => {
    const metrics = new Map([
      ['CGroupMemoryTotal', 9.223e18],
      ['MemoryResident', Number.NaN],
      ['jemalloc_mergetree_arena_active_bytes', 0],
    ]);
    expect(figuresOfMetrics(metrics, 'async', 4096)).toEqual({});
  });
});

describe('pageBytesOfMetrics', () => {
  it.each([
    [4096, 8.28e9, 2_021_000],
    [65_536, 8.28e9, 126_400],
    [undefined, 8.28e9, 0],
    [undefined, 8.28e9, 777],
  ])('is %s', (pageBytes, active, pages) => {
    const metrics = new Map([
      ['jemalloc_active', active],
      ['jemalloc_arenas_all_pactive', pages],
    ]);
    expect(pageBytesOfMetrics(metrics)).toBe(pageBytes);
  });
});

describe('cachesOfMetrics', () => {
  it('lists caches in memory by size, not those on disk', () => {
    const metrics = new Map([
      ['MarkCacheBytes', 3_917_662_560],
      ['CompiledExpressionCacheBytes', 73_728],
      ['CompiledExpressionCacheCount', 7],
      ['FilesystemCacheBytes', 9e12],
      ['UncompressedCacheBytes', 0],
    ]);
    expect(cachesOfMetrics(metrics, 'async').map(({ name, bytes }) => [name, bytes])).toEqual([
      ['mark cache', 3_917_662_560],
      ['compiled expression cache', 73_728],
    ]);
  });
});
