import type { EpochMicros } from '../units.ts';

const MILLISECOND = 1000;
const SECOND = 1000 * MILLISECOND;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Distances between ticks that people read without thinking, in microseconds. */
const STEPS: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((count) => count * MILLISECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 5, 10, 20, 50].map((count) => count * DAY),
];

/** The smallest readable distance that needs no more than the wanted number of ticks for a span; in microseconds. */
export function timeStep(spanMicros: number, wanted: number): number {
  const rough = spanMicros / wanted;
  return STEPS.find((step) => step >= rough) ?? Math.ceil(rough / DAY) * DAY;
}

/** Multiples of a step in a span, both ends included. */
export function multiplesOf(
  step: number,
  start: EpochMicros,
  end: EpochMicros,
): readonly EpochMicros[] {
  const first = Math.ceil(start / step);
  const last = Math.floor(end / step);
  return Array.from(
    { length: Math.max(0, last - first + 1) },
    (_, index) => (first + index) * step,
  );
}
