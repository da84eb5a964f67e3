import type { Bytes, Count, Share } from '../units.ts';
import type { CurvePoint } from './memory-curve.ts';

/** Between two peaks the curve falls by this part of the lower one; otherwise they are one peak. */
const DIP: Share = 0.1;
/** Lower ones are of no interest beside the highest. */
const SMALLEST: Share = 0.1;

/** The highest points of a curve that are peaks of their own, the highest first; of equal ones the earliest. */
export function separatePeaks(points: readonly CurvePoint[], limit: Count): readonly CurvePoint[] {
  const peaks: number[] = [];
  const highest = points.reduce((max, { liveBytes }) => Math.max(max, liveBytes), 0);
  for (const index of tops(points)) {
    if (peaks.length === limit) break;
    const { liveBytes } = points[index] as CurvePoint;
    if (liveBytes <= 0 || liveBytes < highest * SMALLEST) break;
    const floor = liveBytes * (1 - DIP);
    if (peaks.every((peak) => lowestBetween(points, peak, index) <= floor)) peaks.push(index);
  }
  return peaks.map((index) => points[index] as CurvePoint);
}

/** Indexes of points that no neighbour exceeds, the highest first. */
function tops(points: readonly CurvePoint[]): readonly number[] {
  const at = (index: number): Bytes => points[index]?.liveBytes ?? Number.NEGATIVE_INFINITY;
  return points
    .map((_, index) => index)
    .filter((index) => at(index) > at(index - 1) && at(index) >= at(index + 1))
    .sort((a, b) => at(b) - at(a) || a - b);
}

function lowestBetween(points: readonly CurvePoint[], a: number, b: number): Bytes {
  let lowest = Number.POSITIVE_INFINITY;
  for (let index = Math.min(a, b); index <= Math.max(a, b); index += 1) {
    lowest = Math.min(lowest, (points[index] as CurvePoint).liveBytes);
  }
  return lowest;
}
