import { describe, expect, it } from 'vitest';
import { separatePeaks } from '../../src/chart/peaks.ts';

/** One point a micro. */
function curve(...values: readonly number[]) {
  return values.map((liveBytes, atMicros) => ({ atMicros, liveBytes }));
}
const heights = (points: ReturnType<typeof curve>, limit = 3) =>
  separatePeaks(points, limit).map(({ liveBytes }) => liveBytes);

describe('the peaks of a curve', () => {
  it('are the highest points between which it falls', () => {
    expect(heights(curve(0, 50, 20, 100, 10, 70, 0))).toEqual([100, 70, 50]);
    expect(heights(curve(0, 50, 20, 100, 10, 70, 0), 2)).toEqual([100, 70]);
  });

  it('are one where it hardly falls between them', () => {
    expect(heights(curve(0, 100, 95, 99, 0))).toEqual([100]);
    expect(heights(curve(0, 100, 89, 99, 0))).toEqual([100, 99]);
  });

  it('include where it begins and where it ends', () => {
    expect(heights(curve(80, 10, 100))).toEqual([100, 80]);
  });

  it('are the first of a plateau', () => {
    expect(separatePeaks(curve(0, 9, 9, 9, 0), 3)).toEqual([{ atMicros: 1, liveBytes: 9 }]);
  });

  it('leave out what is nothing beside the highest, and what is below zero', () => {
    expect(heights(curve(0, 100, 0, 9, 0))).toEqual([100]);
    expect(heights(curve(-5, -1, -7))).toEqual([]);
    expect(heights([])).toEqual([]);
  });
});
