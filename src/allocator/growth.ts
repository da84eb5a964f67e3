import type { Bytes, EpochMicros, Milliseconds, Share } from '../units.ts';

export interface Point {
  readonly atMicros: EpochMicros;
  readonly bytes: Bytes;
}

/** The straight line that fits a curve best (least squares). */
export interface Growth {
  readonly bytesPerHour: Bytes;
  /** How much of the curve's variance the line explains (R²): 1 is a straight line, 0 no trend at all. */
  readonly fit: Share;
  readonly spanMs: Milliseconds;
  /** At the beginning and end of the line, not of the curve. */
  readonly fromBytes: Bytes;
  readonly toBytes: Bytes;
}

/** A trend needs this many points to be more than a guess. */
const MIN_POINTS = 10;

export function growthOf(points: readonly Point[]): Growth | undefined {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < MIN_POINTS) return undefined;
  const spanMs = (last.atMicros - first.atMicros) / 1000;
  if (spanMs <= 0) return undefined;
  const hours = points.map(({ atMicros }) => (atMicros - first.atMicros) / 3.6e9);
  const meanHours = mean(hours);
  const meanBytes = mean(points.map(({ bytes }) => bytes));
  let covariance = 0;
  let hourVariance = 0;
  let byteVariance = 0;
  for (const [index, { bytes }] of points.entries()) {
    const hour = (hours[index] as number) - meanHours;
    covariance += hour * (bytes - meanBytes);
    hourVariance += hour ** 2;
    byteVariance += (bytes - meanBytes) ** 2;
  }
  const bytesPerHour = covariance / hourVariance;
  return {
    bytesPerHour,
    fit: byteVariance === 0 ? 0 : covariance ** 2 / (hourVariance * byteVariance),
    spanMs,
    fromBytes: meanBytes - bytesPerHour * meanHours,
    toBytes: meanBytes + bytesPerHour * (spanMs / 3.6e6 - meanHours),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
