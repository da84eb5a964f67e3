import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  pageBytesOf,
  type SizeClassCounters,
  toSizeClasses,
  toSlabBins,
} from '../../src/allocator/bins.ts';
import { statsBins } from '../../templates/sql/stats-bins.ts';

const engine = readFileSync('test/fixtures/allocator/bins-26.7.2.1.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => statsBins.row.parse(JSON.parse(line)));

const row = (changes: Partial<SizeClassCounters> = {}): SizeClassCounters => ({
  classIndex: 10,
  isLarge: false,
  sizeBytes: 192,
  mallocCount: 512_336,
  freeCount: 370_710,
  ...changes,
});

describe('toSizeClasses', () => {
  it('agrees with the statistics text of the same moment', () => {
    const sums = toSizeClasses(engine, true);
    expect(sums.smallLiveBytes).toBe(14_542_288);
    expect(sums.slabWasteBytes).toBe(1_178_160);
    expect(sums.largeLiveBytes).toBe(289_415_168);
    expect(sums.isLargeUpperBound).toBe(true);
  });

  it('reads the rows of a server before slabs were counted', () => {
    const sums = toSizeClasses([row(), row({ classIndex: 4, sizeBytes: 64 })], undefined);
    expect(sums.classes[0]).toMatchObject({ liveCount: 141_626, liveBytes: 27_192_192 });
    expect(sums).not.toHaveProperty('slabWasteBytes');
    expect(toSlabBins([row()])).toEqual([]);
  });

  it('takes large classes as exact only when the option says so', () => {
    const large = [
      row({ isLarge: true, classIndex: 82, sizeBytes: 50_331_648, mallocCount: 1, freeCount: 0 }),
    ];
    expect(toSizeClasses(large, false).isLargeUpperBound).toBe(false);
    expect(toSizeClasses(large, true).isLargeUpperBound).toBe(true);
    expect(toSizeClasses(large, undefined).isLargeUpperBound).toBe(true);
  });

  it('never counts below zero when frees were read later', () => {
    const [one] = toSizeClasses([row({ mallocCount: 5, freeCount: 7 })], true).classes;
    expect(one?.liveBytes).toBe(0);
  });
});

describe('the rows of system.jemalloc_bins', () => {
  it('come with nan or null beside large classes, which nobody reads', () => {
    const json = { index: 36, large: 1, size: '16384', allocations: '2', deallocations: '1' };
    const parse = (util: unknown) =>
      statsBins.row.parse({ ...json, nregs: '0', curslabs: '0', curregs: '0', util });
    expect(parse(null)).toEqual(parse('-nan'));
    expect(toSlabBins([parse(null)])).toEqual([]);
  });
});

describe('pageBytesOf', () => {
  it('is told by the slab of the smallest class', () => {
    expect(pageBytesOf(engine)).toBe(4096);
    expect(pageBytesOf([row({ classIndex: 0, sizeBytes: 8, regionsPerSlab: 8192 })])).toBe(65_536);
  });

  it('is told by the smallest large class on older servers', () => {
    const rows = [
      row({ classIndex: 0, sizeBytes: 8 }),
      row({ isLarge: true, sizeBytes: 327_680 }),
      row({ isLarge: true, sizeBytes: 262_144 }),
    ];
    expect(pageBytesOf(rows)).toBe(65_536);
  });

  it('is unknown when only some classes are there', () => {
    expect(pageBytesOf([row(), row({ isLarge: true, sizeBytes: 50_331_648 })])).toBeUndefined();
    expect(pageBytesOf([])).toBeUndefined();
  });
});
