import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dirtyBytes, expectedActiveBytes, sumArena } from '../../src/allocator/stats-sums.ts';
import { parseStatsText } from '../../src/allocator/stats-text.ts';
import { Failure } from '../../src/failure.ts';

const fixture = (name: string) => readFileSync(`test/fixtures/allocator/${name}`, 'utf8');
const engine = fixture('stats-26.7.2.1.txt');
const classic = fixture('stats-5.3.0.txt');

describe('parseStatsText', () => {
  it('reads the totals of jemalloc 5.3-RC with their optional parts', () => {
    const stats = parseStatsText(engine);
    expect(stats.version).toBe('5.3-RC');
    expect(stats.pageBytes).toBe(4096);
    expect(stats.totals).toEqual({
      allocatedBytes: 297_829_840,
      activeBytes: 301_629_440,
      metadataBytes: 14_156_560,
      residentBytes: 605_511_680,
      mappedBytes: 621_727_744,
      retainedBytes: 220_803_072,
      metadataHugePages: 0,
      edataBytes: 3_808_640,
      rtreeBytes: 8_388_608,
      pinnedBytes: undefined,
    });
    expect(stats.unreadLines).toBe(0);
  });

  it('agrees with the sums of a live ClickHouse engine', () => {
    const stats = parseStatsText(engine);
    expect(sumArena(stats.merged, stats.pageBytes)).toEqual({
      slabBytes: 15_720_448,
      smallLiveBytes: 14_542_288,
      slabWasteBytes: 1_178_160,
      largeLiveBytes: 283_287_552,
      largeExtentCount: 299,
      largeClassBytes: 289_415_168,
    });
    expect(stats.merged.small.allocatedBytes).toBe(14_542_288);
    expect(expectedActiveBytes(stats) / stats.totals.activeBytes).toBeCloseTo(1, 2);
    expect(dirtyBytes(stats)).toBe(70_981 * 4096);
  });

  it('agrees with the sums of jemalloc 5.3.0, where active is the sum of its parts', () => {
    const stats = parseStatsText(classic);
    expect(stats.totals).toMatchObject({ allocatedBytes: 1_229_888, activeBytes: 2_342_912 });
    expect(stats.totals.edataBytes).toBeUndefined();
    expect(sumArena(stats.merged, stats.pageBytes)).toMatchObject({
      slabBytes: 1_454_080,
      smallLiveBytes: 492_608,
      slabWasteBytes: 961_472,
      largeLiveBytes: 737_280,
      largeExtentCount: 37,
    });
    expect(expectedActiveBytes(stats)).toBe(stats.totals.activeBytes);
  });

  it('keeps the gaps between the indexes of arenas, and their names', () => {
    const { arenas } = parseStatsText(engine);
    expect(arenas.map(({ index, name }) => [index, name])).toEqual([
      [3, 'manual_3'],
      [4, 'manual_4'],
    ]);
    expect(arenas[0]).toMatchObject({
      threadCount: 0,
      activeBytes: 217_088,
      dirty: { decayMs: 5000, pageCount: 8, purgedPageCount: 2 },
      memory: { tcache_bytes: 0, base: 95_824 },
    });
    expect(arenas[1]?.bins.map(({ sizeBytes }) => sizeBytes)).toEqual([
      32, 384, 448, 512, 640, 768, 1024,
    ]);
  });

  it('takes the tables of huge pages for no table of bins', () => {
    const rows = `                 size ind npageslabs_huge\n                   8   0   12\n`;
    const stats = parseStatsText(
      engine.replace('  In nonfull slabs:\n', `In nonfull slabs:\n${rows}`),
    );
    expect(stats.merged.extents).toEqual(parseStatsText(engine).merged.extents);
  });

  it('reads options with what is in force now', () => {
    const { options } = parseStatsText(
      engine.replace('16 (prof.lg_sample: 16)', '19 (prof.lg_sample: 16)'),
    );
    expect(options).toMatchObject({
      'opt.lg_prof_sample': '19',
      'prof.lg_sample': '16',
      'opt.percpu_arena': 'percpu',
      'opt.disable_large_size_classes': 'true',
      'system.thp_mode': 'madvise',
    });
    expect(options['config.malloc_conf']).toMatch(/^percpu_arena:percpu,.*active_fit:8$/);
  });

  it('reads the waits for locks, of the process and of arenas', () => {
    const stats = parseStatsText(engine);
    expect(stats.mutexes.map(({ name }) => name)).toContain('prof_dump');
    expect(stats.merged.mutexes.find(({ name }) => name === 'extents_dirty')).toEqual({
      name: 'extents_dirty',
      lockCount: 179_469,
      totalWaitNs: 9_550_343,
      maxWaitNs: 7_865_672,
    });
  });

  it('takes the only arena as the sum, as jemalloc prints none then', () => {
    const [head = '', , ...rest] = engine.split(/^(?=Merged arenas stats:$|arenas\[\d+\]:$)/m);
    const stats = parseStatsText(`${head}${rest[0]}--- End jemalloc statistics ---\n`);
    expect(stats.merged).toBe(stats.arenas[0]);
  });

  it('keeps destroyed arenas apart', () => {
    const [head, merged, arena] = engine.split(/^(?=Merged arenas stats:$|arenas\[\d+\]:$)/m);
    const gone = arena!.replace('arenas[3]:', 'Destroyed arenas stats:');
    const stats = parseStatsText(`${head}${merged}${gone}--- End jemalloc statistics ---\n`);
    expect(stats.destroyed).toMatchObject({ index: undefined, activeBytes: 217_088 });
    expect(stats.arenas).toEqual([]);
  });

  it('reads racing bins, and text around the statistics', () => {
    const raced = engine.replace('  512   1  0.742', '  512   1   race');
    const stats = parseStatsText(`junk\r\n${raced.replaceAll('\n', '\r\n')}more junk`);
    expect(stats.merged.bins[0]).toMatchObject({ sizeBytes: 8, utilisation: undefined });
    expect(stats.merged.bins[1]).toMatchObject({ utilisation: 0.654 });
  });

  it('counts rows that it cannot read and keeps the others', () => {
    const broken = engine.replace(
      '                   8   0         27360',
      '                   8   0         what?',
    );
    const stats = parseStatsText(broken);
    expect(stats.unreadLines).toBe(1);
    expect(stats.merged.bins).toHaveLength(35);
  });

  it('reads the plainer text of jemalloc 5.1', () => {
    const stats = parseStatsText(fixture('stats-5.1.0.txt'));
    expect(stats.totals).toMatchObject({ allocatedBytes: 2_100_000, retainedBytes: 0 });
    expect(stats.merged).toMatchObject({
      name: undefined,
      small: { allocatedBytes: 52_000 },
      large: { allocatedBytes: 2_048_000 },
      dirty: { decayMs: 10_000, pageCount: 5 },
    });
    expect(stats.merged.bins[0]).toMatchObject({ nonfullSlabs: undefined, regionsPerSlab: 512 });
    expect(stats.merged.mutexes).toEqual([]);
  });

  it('reads the megabytes of a host with many arenas', () => {
    const arena = engine.slice(engine.indexOf('arenas[3]:'), engine.indexOf('arenas[4]:'));
    const many = Array.from({ length: 300 }, (_, index) => arena.replace('[3]', `[${index + 5}]`));
    const text = engine.replace('--- End', `${many.join('')}--- End`);
    expect(text.length).toBeGreaterThan(3e6);
    expect(parseStatsText(text).arenas).toHaveLength(302);
  });
});

describe('parseStatsText on what is no statistics', () => {
  const sentenceOf = (text: string) => {
    try {
      parseStatsText(text);
      return 'no failure';
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      expect(thrown.kind).toBe('unreadable-statistics');
      return thrown.message;
    }
  };

  it('says where a text is cut off', () => {
    const cut = engine.slice(0, engine.indexOf('extents:', engine.indexOf('arenas[3]:')));
    expect(sentenceOf(cut)).toMatch(/cut off.*ends in line \d+, in arenas\[3\], without/);
    expect(sentenceOf(engine.slice(0, 300))).toMatch(/before the first arena/);
  });

  it.each([
    ['MALLOC:   123456 (  0.1 MiB) Bytes in use by application', /statistics of tcmalloc/],
    ['<malloc version="1">\n<heap nr="0">', /statistics of the C library/],
    ['{"jemalloc":{"version":"5.3.0"}}', /JSON form/],
    ['heap_v2/524288\n  t*: 0: 0 [0: 0]', /a heap profile/],
    ['<!DOCTYPE html><html>', /a web page/],
    ['Code: 60. DB::Exception: Table does not exist', /an error of ClickHouse/],
    ['imok', /something else and begins with "imok"/],
    ['', /It is empty/],
  ])('tells %j from statistics', (text, words) => {
    expect(sentenceOf(text)).toMatch(words);
  });

  it.each([
    ['Allocated: ', /lack the line of totals/],
    ['Page size: ', /lack the page size/],
  ])('says that %j is missing', (start, words) => {
    expect(sentenceOf(engine.replace(start, 'Something: '))).toMatch(words);
  });

  it('says that no arena is there', () => {
    const head = engine.slice(0, engine.indexOf('Merged arenas stats:'));
    expect(sentenceOf(`${head}--- End jemalloc statistics ---`)).toMatch(
      /lack the statistics of arenas/,
    );
  });
});
