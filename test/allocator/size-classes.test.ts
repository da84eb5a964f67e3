import { describe, expect, it } from 'vitest';
import {
  indexOfSize,
  isSmallClass,
  sizeOfIndex,
  slabBytesOf,
} from '../../src/allocator/size-classes.ts';

/** index, size, regions per slab: system.jemalloc_bins of ClickHouse 26.7 on 4 KiB pages. */
const small =
  `0 8 512; 1 16 256; 2 32 128; 3 48 256; 4 64 64; 5 80 256; 6 96 128; 7 112 256; 8 128 32; 9 160 128;
10 192 64; 11 224 128; 12 256 16; 13 320 64; 14 384 32; 15 448 64; 16 512 8; 17 640 32; 18 768 16; 19 896 32;
20 1024 4; 21 1280 16; 22 1536 8; 23 1792 16; 24 2048 2; 25 2560 8; 26 3072 4; 27 3584 8; 28 4096 1; 29 5120 4;
30 6144 2; 31 7168 4; 32 8192 1; 33 10240 2; 34 12288 1; 35 14336 2`
    .split(';')
    .map((row) => row.trim().split(' ').map(Number) as [number, number, number]);

describe('size classes', () => {
  it.each(small)('class %d holds %d bytes, %d to a slab', (index, size, regions) => {
    expect(indexOfSize(size)).toBe(index);
    expect(sizeOfIndex(index)).toBe(size);
    expect(slabBytesOf(size) / size).toBe(regions);
    expect(isSmallClass(size)).toBe(true);
  });

  it.each([
    [16_384, 36],
    [20_480, 37],
    [65_536, 44],
    [1_048_576, 60],
    [5_242_880, 69],
    [33_554_432, 80],
  ])('%d bytes are large class %d', (size, index) => {
    expect(indexOfSize(size)).toBe(index);
    expect(sizeOfIndex(index)).toBe(size);
    expect(isSmallClass(size)).toBe(false);
  });

  it('rounds every request up to the next class, never down', () => {
    const sizes = Array.from({ length: 70_000 }, (_, index) => index + 1);
    const wrong = sizes.filter((size) => {
      const index = indexOfSize(size);
      return sizeOfIndex(index) < size || (index > 0 && sizeOfIndex(index - 1) >= size);
    });
    expect(wrong).toEqual([]);
  });

  it('inverts exactly for all 232 classes', () => {
    for (let index = 0; index < 232; index += 1)
      expect(indexOfSize(sizeOfIndex(index))).toBe(index);
  });

  it('has 52 small classes on 64 KiB pages', () => {
    const count = Array.from({ length: 232 }, (_, index) => sizeOfIndex(index)).filter((size) =>
      isSmallClass(size, 65_536),
    ).length;
    expect(count).toBe(52);
  });
});
