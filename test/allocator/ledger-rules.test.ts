import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { growthOf } from '../../src/allocator/growth.ts';
import { judge, ledgerRules } from '../../src/allocator/ledger-rules.ts';
import type { MemoryFacts } from '../../src/allocator/memory-facts.ts';
import type { AllocatorStats } from '../../src/allocator/stats.ts';
import { parseStatsText } from '../../src/allocator/stats-text.ts';
import { GiB, holder, MiB, memoryFacts } from '../support/memory-facts.ts';

const engine = parseStatsText(readFileSync('test/fixtures/allocator/stats-26.7.2.1.txt', 'utf8'));
const withOptions = (options: Record<string, string>): AllocatorStats => ({
  ...engine,
  options: { ...engine.options, ...options },
});
const idsOf = (facts: MemoryFacts) => judge(facts).map(({ id }) => id);
const saysOf = (facts: MemoryFacts, id: string) => {
  const finding = judge(facts).find((one) => one.id === id);
  return finding && `${finding.says}. ${finding.evidence}. ${finding.next ?? ''}`;
};

/** Nothing to say about: everything tracked, held and full. */
const healthy = {
  hostTotal: 32 * GiB,
  rss: 4.1 * GiB,
  resident: 4 * GiB,
  active: 3.9 * GiB,
  dirty: 0.05 * GiB,
  allocated: 3.8 * GiB,
  retained: 0.5 * GiB,
  tracked: 3.85 * GiB,
  serverLimit: 28 * GiB,
};
const busy = { holders: [holder('query', 1.4 * GiB), holder('cache', 1.4 * GiB)] };

describe('judge', () => {
  it('is silent about a healthy server', () => {
    expect(idsOf(memoryFacts(healthy, busy))).toEqual([]);
  });

  it('puts alarms first and the most bytes before the rest', () => {
    const facts = memoryFacts({ ...healthy, dirty: GiB, rss: 30 * GiB, retained: 9 * GiB }, busy);
    expect(idsOf(facts)).toEqual(['limit-near', 'outside-allocator', 'dirty-pages', 'retained']);
  });

  it('has an id for every rule', () => {
    const ids = ledgerRules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('what people reported', () => {
  it('ClickHouse#98963: RSS far above what the allocator has', () => {
    const facts = memoryFacts({ ...healthy, rss: 19.17 * GiB, resident: 5 * GiB }, busy);
    expect(saysOf(facts, 'outside-allocator')).toMatch(
      /14.17 GiB of RSS does not come from jemalloc.*RSS 19.17 GiB \(test: rss\), resident 5.00 GiB/,
    );
  });

  it('ClickHouse#113081: an RSS counter beyond the memory of a host with pages of 64 KiB', () => {
    const facts = memoryFacts({ ...healthy, rss: 72 * GiB }, { ...busy, pageBytes: 65_536 });
    expect(saysOf(facts, 'impossible')).toMatch(/72.00 GiB, more than the host has/);
    expect(saysOf(facts, 'page-size')).toMatch(/A page has 64.00 KiB here/);
  });

  it('ClickHouse#80606: huge pages in a Keeper', () => {
    const figures = { rss: 7_661_408_256, resident: 4_676_882_432, allocated: 3_432_572_432 };
    const facts = memoryFacts(figures, {
      server: 'keeper',
      stats: withOptions({ 'opt.thp': 'default', 'system.thp_mode': 'always' }),
    });
    expect(saysOf(facts, 'huge-pages')).toMatch(/2.78 GiB of RSS is outside.*restart Keeper/);
    const off = {
      ...facts,
      stats: withOptions({ 'opt.thp': 'never', 'system.thp_mode': 'always' }),
    };
    expect(idsOf(off)).not.toContain('huge-pages');
  });

  it('ClickHouse#80606: a container charged for the page cache', () => {
    const facts = memoryFacts({ ...healthy, cgroupUsed: 6 * GiB }, busy);
    expect(saysOf(facts, 'cgroup')).toMatch(/charged 1.90 GiB more than the process/);
  });

  it('ClickHouse#72720: a tracker far above the memory in use', () => {
    const facts = memoryFacts({ tracked: 17_773_785_155, rss: 1_015_656_448 });
    expect(saysOf(facts, 'tracked-too-much')).toMatch(
      /15.61 GiB more than it does.*tracked 16.55 GiB/,
    );
  });

  it('ClickHouse#82036: a tracker far below the memory in use', () => {
    const facts = memoryFacts({ ...healthy, tracked: 2 * GiB }, busy);
    expect(saysOf(facts, 'tracked-too-little')).toMatch(
      /1.80 GiB is allocated that the server does not/,
    );
  });

  it('ClickHouse#77705: merges and mutations that hold the memory', () => {
    const facts = memoryFacts(healthy, { holders: [holder('merge', 3 * GiB, { count: 4 })] });
    expect(saysOf(facts, 'merges')).toMatch(/3.00 GiB, 79% of allocated.*4 some merge 3.00 GiB/);
  });

  it('ClickHouse#62924: a query that claims more than the server has', () => {
    const largest = { name: 'a1b2', bytes: 55.59 * GiB };
    const facts = memoryFacts(
      { ...healthy, hostTotal: 64 * GiB, tracked: 16 * GiB },
      { holders: [holder('query', 55.59 * GiB, { largest })] },
    );
    expect(saysOf(facts, 'impossible-query')).toMatch(/Query a1b2 says that it holds 55.59 GiB/);
  });

  it('ClickHouse#109467: threads that wait for the lock of an arena', () => {
    const [arena] = engine.arenas;
    const mutexes = [{ name: 'extents_dirty', lockCount: 9, totalWaitNs: 2e9, maxWaitNs: 1e9 }];
    const stats = { ...engine, arenas: [{ ...arena!, uptimeNs: 10e9, mutexes }] };
    expect(saysOf(memoryFacts(healthy, { ...busy, stats }), 'lock-waits')).toMatch(
      /waited 2.0 s for the lock extents_dirty of arena 3 \(manual_3\).*20% of the time/,
    );
    expect(idsOf(memoryFacts(healthy, { ...busy, stats: engine }))).not.toContain('lock-waits');
  });

  it('ClickHouse#86077: dirty pages, fragmentation and retained address space after a drop', () => {
    const facts = memoryFacts(
      {
        resident: 8 * GiB,
        active: 6 * GiB,
        dirty: 1.9 * GiB,
        allocated: 4 * GiB,
        slabWaste: 1.5 * GiB,
        retained: 10.2 * GiB,
      },
      { stats: withOptions({ 'arenas.dirty_decay_ms': '5000' }) },
    );
    expect(saysOf(facts, 'dirty-pages')).toMatch(
      /decays within 5.0 s, but without background threads.*PURGE/,
    );
    expect(saysOf(facts, 'fragmentation')).toMatch(/2.00 GiB is lost.*mostly slabs.*Ask `frag`/);
    expect(saysOf(facts, 'retained')).toMatch(/10.20 GiB that jemalloc retains is address space/);
  });

  it('says when pages will never decay', () => {
    const stats = withOptions({ 'arenas.dirty_decay_ms': '-1' });
    expect(
      saysOf(memoryFacts({ resident: GiB, dirty: GiB / 2 }, { stats }), 'dirty-pages'),
    ).toMatch(/will not decay/);
  });

  it('jemalloc#1098: fragmentation between large objects', () => {
    const facts = memoryFacts({
      active: 31_030_251_520,
      allocated: 26_690_095_480,
      slabWaste: 200 * MiB,
    });
    expect(saysOf(facts, 'fragmentation')).toMatch(
      /4.04 GiB is lost.*mostly between large objects/,
    );
  });

  it('ClickHouse#106534: a Keeper that holds more than its data', () => {
    const facts = memoryFacts(
      { allocated: 1_852_867_488 },
      { server: 'keeper', holders: [holder('keeper-data', 87_308_550 + 22_000_000)] },
    );
    expect(saysOf(facts, 'unexplained')).toMatch(
      /1.62 GiB of what is allocated.*94% of allocated.*Ask `heap`/,
    );
  });

  it('ClickHouse#112225: a slow and steady leak', () => {
    const minute = 60e6;
    const leak = Array.from({ length: 360 }, (_, n) => ({
      atMicros: n * minute,
      bytes: 4 * GiB + n * 10.46 * MiB + (n % 7) * 20 * MiB,
    }));
    const facts = memoryFacts({ allocated: 7 * GiB }, { growth: growthOf(leak) });
    expect(saysOf(facts, 'growth')).toMatch(
      /\+62\d\.\d+ MiB an hour over the last 5 h 59 min.*R² 1.00/,
    );
    const noise = leak.map(({ atMicros }, n) => ({ atMicros, bytes: 4 * GiB + (n % 7) * GiB }));
    const level = memoryFacts({ allocated: 7 * GiB }, { growth: growthOf(noise) });
    expect(idsOf(level)).not.toContain('growth');
  });

  it.each([
    ['ClickHouse#51871: 170,000 parts', 'part-metadata', 'part-metadata'],
    ['ClickHouse#56718: mark cache', 'cache', 'caches'],
    ['dictionaries', 'dictionary', 'dictionaries'],
    ['tables in memory', 'table', 'tables-in-memory'],
    ['ClickHouse#83612: running queries', 'query', 'queries'],
  ] as const)('%s hold most of the memory', (_, kind, rule) => {
    expect(idsOf(memoryFacts(healthy, { holders: [holder(kind, 3 * GiB)] }))).toEqual([rule]);
  });

  it('ClickHouse#82627: the limit is near', () => {
    const facts = memoryFacts({
      rss: 451.23 * GiB,
      tracked: 453.17 * GiB,
      serverLimit: 452.79 * GiB,
    });
    expect(saysOf(facts, 'limit-near')).toMatch(/at 100% of what it may use/);
  });

  it('says when jemalloc counts what the kernel does not', () => {
    expect(idsOf(memoryFacts({ rss: GiB, resident: 2 * GiB }))).toEqual(['not-in-memory']);
  });

  it('says when the parts are more than the whole', () => {
    const facts = memoryFacts({ allocated: GiB }, { holders: [holder('buffer', 1.5 * GiB)] });
    expect(idsOf(facts)).toEqual(['explained-too-much']);
  });

  it('says when much lies in the caches of threads', () => {
    expect(idsOf(memoryFacts({ allocated: GiB, threadCaches: GiB / 2 }, busy))).toContain(
      'thread-caches',
    );
  });
});
