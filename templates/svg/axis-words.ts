import { formatBytes } from '../../src/format.ts';
import type { Bytes } from '../../src/units.ts';

/** An amount at an axis: no zeros behind the point ("1.5 GiB", "200 MiB", "0"). */
export function axisBytes(bytes: Bytes): string {
  if (bytes === 0) return '0';
  return formatBytes(bytes)
    .replace('.00 ', ' ')
    .replace(/(\.\d)0 /, '$1 ');
}

const UNITS = [
  { unit: 'd', micros: 86_400e6 },
  { unit: 'h', micros: 3600e6 },
  { unit: 'min', micros: 60e6 },
  { unit: 's', micros: 1e6 },
  { unit: 'ms', micros: 1e3 },
] as const;

/** A span at an axis, all in the unit that the distance between two ticks suggests ("0", "0.5 s", "1 s"). */
export function axisSpan(micros: number, longestMicros: number): string {
  if (micros === 0) return '0';
  const { unit, micros: one } = UNITS.find((scale) => longestMicros >= scale.micros) ?? UNITS[4];
  return `${Number((micros / one).toFixed(2))} ${unit}`;
}
