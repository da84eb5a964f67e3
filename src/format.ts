import type { Bytes, Count, EpochMicros, Milliseconds, Share } from './units.ts';

const BINARY_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;

/** Bytes as ClickHouse's formatReadableSize prints them: binary units, two decimals ("3.25 MiB", "12 B"). */
export function formatBytes(bytes: Bytes): string {
  const sign = bytes < 0 ? '-' : '';
  let rest = Math.abs(bytes);
  let unit = 0;
  while (rest >= 1023.995 && unit < BINARY_UNITS.length - 1) {
    rest /= 1024;
    unit += 1;
  }
  const digits = unit === 0 ? String(Math.round(rest)) : rest.toFixed(2);
  return `${sign}${digits} ${BINARY_UNITS[unit]}`;
}

/** Signed bytes, for differences: always with + or - ("+3.10 GiB"). */
export function formatSignedBytes(bytes: Bytes): string {
  return bytes > 0 ? `+${formatBytes(bytes)}` : formatBytes(bytes);
}

/** A count with thin grouping ("12,345"); un-sampled counts are rounded. */
export function formatCount(count: Count): string {
  // By hand: the first call of toLocaleString loads tables for 15 ms, as long as all else of a short run of the shell.
  return String(Math.round(count)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A count with its noun ("1 sample", "183 samples"). */
export function formatCountOf(count: Count, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${Math.round(count) === 1 ? singular : plural}`;
}

/** A share as whole per cent; what is not nothing but rounds to nothing is "<1%". */
export function formatShare(share: Share): string {
  if (share > 0 && share < 0.005) return '<1%';
  if (share < 0 && share > -0.005) return '>-1%';
  return `${Math.round(share * 100)}%`;
}

/** A span ("840 ms", "12.4 s", "3 min 20 s", "2 h 5 min"). */
export function formatDuration(ms: Milliseconds): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return join(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 48 * 60) return join(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(minutes / 60);
  return join(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function join(big: number, bigUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${big} ${bigUnit}` : `${big} ${bigUnit} ${small} ${smallUnit}`;
}

/** A moment in UTC to the millisecond ("2026-12-01 11:58:04.123 UTC"). */
export function formatUtc(atMicros: EpochMicros): string {
  return `${isoUtc(atMicros).replace('T', ' ').replace('Z', '')} UTC`;
}

/** The time of day in UTC, to the second ("11:58:04 UTC"). */
export function formatUtcTime(atMicros: EpochMicros): string {
  return `${isoUtc(atMicros).slice(11, 19)} UTC`;
}

function isoUtc(atMicros: EpochMicros): string {
  return new Date(Math.floor(atMicros / 1000)).toISOString();
}
