import { describe, expect, it } from 'vitest';
import { lgIntervalThatShows } from '../../src/allocator/sample-evidence.ts';

describe('lgIntervalThatShows', () => {
  it('finds the largest interval at which ten of the objects are sampled', () => {
    const expected = (size: number, count: number, lg: number) =>
      count * (1 - Math.exp(-size / 2 ** lg));
    for (const [size, count] of [
      [256, 2500],
      [8, 1_000_000],
      [14_336, 40],
    ] as const) {
      const lg = lgIntervalThatShows(size, count) as number;
      expect(expected(size, count, lg)).toBeGreaterThanOrEqual(10);
      expect(expected(size, count, lg + 1)).toBeLessThan(10);
    }
  });

  it('knows that ten objects or fewer cannot give more than ten samples', () => {
    expect(lgIntervalThatShows(256, 10)).toBeUndefined();
  });
});
