import type { EpochMicros } from '../../units.ts';

/** A moment as DateTime64(6) reads it from JSON in any time zone: seconds, a dot, six digits. */
export function dateTime64(atMicros: EpochMicros): string {
  const seconds = Math.floor(atMicros / 1e6);
  return `${seconds}.${String(atMicros - seconds * 1e6).padStart(6, '0')}`;
}
