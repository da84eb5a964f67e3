import type { Bytes, EpochMicros, Share } from '../units.ts';
import { byteStep } from './byte-ticks.ts';
import type { CurvePoint, MemoryCurve } from './memory-curve.ts';
import { multiplesOf, timeStep } from './time-ticks.ts';

/** A memory curve in the unit square: x to the right, y upwards. */
export interface CurveLayout {
  /**
   * Corners of the curve: what is live stays so until the next point. The first lies at the start of the query, the
   * last at its end.
   */
  readonly line: readonly { readonly x: Share; readonly y: Share }[];
  /** Where 0 bytes are; above the bottom when the curve goes below zero. */
  readonly zeroY: Share;
  /** The peaks in the order of the curve's: rank 1 is the highest. */
  readonly peaks: readonly CurvePeak[];
  readonly serverPeakY?: Share;
  readonly byteTicks: readonly { readonly bytes: Bytes; readonly y: Share }[];
  /** Counted from the start of the query. */
  readonly timeTicks: readonly { readonly sinceStartMicros: number; readonly x: Share }[];
  /** The step between two time ticks, in microseconds. */
  readonly timeStepMicros: number;
}

export interface CurvePeak extends CurvePoint {
  readonly rank: number;
  readonly x: Share;
  readonly y: Share;
}

const SHOWN_PEAKS = 3;
const BYTE_TICKS = 6;
const TIME_TICKS = 8;
/** Room above the highest point, for the marks of peaks. */
const HEADROOM: Share = 0.14;
/** Finer than pixels are; a curve of more points is thinned. */
const COLUMNS = 2000;

export function layoutCurve(curve: MemoryCurve): CurveLayout {
  const { startAtMicros, serverPeakBytes } = curve;
  const span = Math.max(1, curve.endAtMicros - startAtMicros);
  const peaks = curve.peaks.slice(0, SHOWN_PEAKS);
  const points = pointsInTime(curve, peaks);
  const range = rangeOf(points, serverPeakBytes);
  const x = (atMicros: EpochMicros) => Math.min(1, Math.max(0, (atMicros - startAtMicros) / span));
  const y = (bytes: Bytes) => (bytes - range.least) / (range.most - range.least);
  const corners = thinned(
    points.map(({ atMicros, liveBytes }) => ({ x: x(atMicros), y: y(liveBytes) })),
  );
  const stepMicros = timeStep(span, TIME_TICKS);
  return {
    line: [{ x: 0, y: y(0) }, ...corners, { x: 1, y: corners.at(-1)?.y ?? y(0) }],
    zeroY: y(0),
    peaks: peaks.map((peak, index) => ({
      ...peak,
      rank: index + 1,
      x: x(peak.atMicros),
      y: y(peak.liveBytes),
    })),
    ...(serverPeakBytes === undefined ? {} : { serverPeakY: y(serverPeakBytes) }),
    byteTicks: multiplesOf(
      byteStep(range.most - range.least, BYTE_TICKS),
      range.least,
      range.most,
    ).map((bytes) => ({ bytes, y: y(bytes) })),
    timeTicks: multiplesOf(stepMicros, 0, span).map((sinceStartMicros) => ({
      sinceStartMicros,
      x: sinceStartMicros / span,
    })),
    timeStepMicros: stepMicros,
  };
}

/** The points and the peaks, in time order: the moment of a peak may lie inside a bucket. */
function pointsInTime(
  { points }: MemoryCurve,
  peaks: readonly CurvePoint[],
): readonly CurvePoint[] {
  return [...points, ...peaks].sort((a, b) => a.atMicros - b.atMicros);
}

interface ByteRange {
  readonly least: Bytes;
  readonly most: Bytes;
}

function rangeOf(points: readonly CurvePoint[], serverPeakBytes: Bytes = 0): ByteRange {
  let least = 0;
  let most = Math.max(1, serverPeakBytes);
  for (const { liveBytes } of points) {
    least = Math.min(least, liveBytes);
    most = Math.max(most, liveBytes);
  }
  const room = (most - least) * HEADROOM;
  return { least: least < 0 ? least - room / 2 : 0, most: most + room };
}

type Corner = CurveLayout['line'][number];

/** At most four points a column: the first, the lowest, the highest and the last. */
function thinned(corners: readonly Corner[]): readonly Corner[] {
  if (corners.length <= COLUMNS) return corners;
  const kept: Corner[] = [];
  let from = 0;
  while (from < corners.length) {
    const column = Math.floor((corners[from] as Corner).x * COLUMNS);
    let to = from + 1;
    while (to < corners.length && Math.floor((corners[to] as Corner).x * COLUMNS) === column)
      to += 1;
    kept.push(...extremesOf(corners.slice(from, to)));
    from = to;
  }
  return kept;
}

function extremesOf(corners: readonly Corner[]): readonly Corner[] {
  let lowest = 0;
  let highest = 0;
  for (const [index, { y }] of corners.entries()) {
    if (y < (corners[lowest] as Corner).y) lowest = index;
    if (y > (corners[highest] as Corner).y) highest = index;
  }
  const indexes = [...new Set([0, lowest, highest, corners.length - 1])].sort((a, b) => a - b);
  return indexes.map((index) => corners[index] as Corner);
}
