import type { Count, Nanoseconds } from '../units.ts';

export const ageNames = ['short', 'minutes', 'hours', 'days'] as const;

export type AgeName = (typeof ageNames)[number];

/** Objects by how long they have lived when the profile was flushed: under a minute, an hour, a day, or longer. */
export type AgeCounts = Readonly<Record<AgeName, Count>>;

/** Where a bucket ends and the next one begins. */
export const ageBoundsNs: readonly Nanoseconds[] = [60e9, 3600e9, 86_400e9];

export const noAges: AgeCounts = { short: 0, minutes: 0, hours: 0, days: 0 };

/** Counts in the order of `ageNames`, as a query returns them. */
export function toAgeCounts([
  short = 0,
  minutes = 0,
  hours = 0,
  days = 0,
]: readonly Count[]): AgeCounts {
  return { short, minutes, hours, days };
}

export function addAges(a: AgeCounts, b: AgeCounts): AgeCounts {
  return {
    short: a.short + b.short,
    minutes: a.minutes + b.minutes,
    hours: a.hours + b.hours,
    days: a.days + b.days,
  };
}
