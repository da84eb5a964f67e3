import { describe, expect, it } from 'vitest';
import { layoutCurve } from '../../src/chart/curve-layout.ts';
import type { MemoryCurve } from '../../src/chart/memory-curve.ts';
import { multiplesOf, timeStep } from '../../src/chart/time-ticks.ts';
import { GiB } from '../support/memory-facts.ts';

const point = (second: number, liveBytes: number) => ({ atMicros: second * 1e6, liveBytes });
const curve: MemoryCurve = {
  points: [point(2, GiB), point(6, 3 * GiB), point(8, 2 * GiB)],
  peaks: [point(6, 3 * GiB)],
  startAtMicros: 0,
  endAtMicros: 10e6,
};

describe('layoutCurve', () => {
  it('starts at nothing, and keeps what is live until the end of the query', () => {
    const { line, zeroY } = layoutCurve(curve);
    expect(line.map(({ x }) => x)).toEqual([0, 0.2, 0.6, 0.6, 0.8, 1]);
    expect(line[0]?.y).toBe(zeroY);
    expect(line.at(-1)?.y).toBe(line.at(-2)?.y);
    expect(zeroY).toBe(0);
  });

  it('leaves room above the highest point and above what the server says', () => {
    expect(layoutCurve(curve).peaks[0]?.y).toBeLessThan(0.9);
    const { serverPeakY, peaks } = layoutCurve({ ...curve, serverPeakBytes: 4 * GiB });
    expect(serverPeakY).toBeLessThan(0.9);
    expect(serverPeakY).toBeGreaterThan(peaks[0]!.y);
  });

  it('passes through a peak that lies inside a bucket', () => {
    const peak = point(4, 5 * GiB);
    const { line, peaks } = layoutCurve({ ...curve, peaks: [peak] });
    expect(line).toContainEqual({ x: peaks[0]!.x, y: peaks[0]!.y });
  });

  it('marks three peaks at most, in their order', () => {
    const peaks = [6, 2, 8, 9].map((second) => point(second, GiB));
    expect(layoutCurve({ ...curve, peaks }).peaks.map(({ rank, x }) => [rank, x])).toEqual([
      [1, 0.6],
      [2, 0.2],
      [3, 0.8],
    ]);
  });

  it('lifts zero when a query frees what others allocated', () => {
    const { zeroY, line, byteTicks } = layoutCurve({
      ...curve,
      points: [point(1, -GiB), ...curve.points],
    });
    expect(zeroY).toBeGreaterThan(0.2);
    expect(Math.min(...line.map(({ y }) => y))).toBeGreaterThan(0);
    expect(byteTicks.map(({ bytes }) => bytes)).toContain(-GiB);
  });

  it('keeps every extreme of a curve of many points', () => {
    const points = Array.from({ length: 100_000 }, (_, index) =>
      point(index / 10_000, index === 54_321 ? 9 * GiB : index === 77_777 ? 0 : GiB + (index % 10)),
    );
    const { line } = layoutCurve({ ...curve, points });
    expect(line.length).toBeLessThan(8_010);
    const heights = line.slice(1).map(({ y }) => y);
    expect(Math.max(...heights)).toBeCloseTo(1 / 1.14, 6);
    expect(Math.min(...heights)).toBe(0);
  });

  it('stands a query of no length and one of no samples', () => {
    const { line } = layoutCurve({ points: [], peaks: [], startAtMicros: 5, endAtMicros: 5 });
    expect(line.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  });
});

describe('timeStep', () => {
  it.each([
    [12.4e6, 8, 2e6],
    [840e3, 8, 200e3],
    [3 * 3600e6, 8, 1800e6],
    [400 * 86_400e6, 8, 50 * 86_400e6],
    [9000 * 86_400e6, 8, 1125 * 86_400e6],
  ])('of %d µs for %d ticks', (span, wanted, step) => {
    expect(timeStep(span, wanted)).toBe(step);
    expect(multiplesOf(step, 0, span).length).toBeLessThanOrEqual(wanted + 1);
  });
});
