import { createHash } from 'node:crypto';
import { nextRuns } from '../../src/digest/cron.ts';
import type { TargetLook } from '../../src/digest/digest.ts';
import type { Reading } from '../../src/reading.ts';

/** A fleet that lives a year of its own: everything follows from names and moments, nothing from chance. */
export const MIB = 2 ** 20;
export const DAY_MICROS = 86_400e6;
export const YEAR_START_MICROS = Date.parse('2026-09-01T00:00:00Z') * 1000;

export interface SimulatedServer {
  readonly name: string;
  /** Waste at a moment, as long as nothing special happens. */
  readonly baseMiB: number;
  readonly events: readonly ServerEvent[];
}

export type ServerEvent =
  | { readonly kind: 'restart'; readonly atDay: number }
  | { readonly kind: 'outage'; readonly fromDay: number; readonly toDay: number }
  | { readonly kind: 'jump'; readonly atDay: number; readonly toMiB: number }
  | { readonly kind: 'drift'; readonly fromDay: number; readonly mibPerDay: number }
  | { readonly kind: 'added' | 'removed'; readonly atDay: number };

/** What happens to a few of 200 servers; days count from Tuesday, 2026-09-01. The others breathe by 3 per cent. */
const events: Readonly<Record<string, SimulatedServer['events']>> = {
  // A new pattern of inserts in October; somebody mends it in November.
  'chi-007': [
    { kind: 'jump', atDay: 40, toMiB: 400 },
    { kind: 'jump', atDay: 75, toMiB: 50 },
  ],
  // Restarted for an upgrade, with nothing to tell but that.
  'chi-020': [{ kind: 'restart', atDay: 100 }],
  // Away for three weeks over the end of the year.
  'chi-031': [{ kind: 'outage', fromDay: 110, toDay: 131 }],
  // A leak of slabs that no single week shows.
  'chi-050': [{ kind: 'drift', fromDay: 150, mibPerDay: 0.9 }],
  // Grows beyond the threshold in May, restarted in June.
  'chi-099': [
    { kind: 'jump', atDay: 250, toMiB: 1500 },
    { kind: 'restart', atDay: 290 },
  ],
  // Renamed in the config: gone under one name, new under the other.
  'chi-150': [{ kind: 'removed', atDay: 200 }],
  'chi-150b': [{ kind: 'added', atDay: 200 }],
};

export const fleet: readonly SimulatedServer[] = [
  ...Array.from({ length: 200 }, (_, index) => `chi-${String(index + 1).padStart(3, '0')}`),
  'chi-150b',
].map((name, index) => ({ name, baseMiB: 20 + (index % 40) * 5, events: events[name] ?? [] }));

/** memprof itself is away for these days. */
const MEMPROF_AWAY: readonly (readonly [fromDay: number, toDay: number])[] = [[170, 186.5]];

export const weekly = { cron: '0 9 * * 1', timeZone: 'Europe/Berlin' };

/** One turn of the schedule: when it was due, and when somebody took it up. */
export interface Turn {
  readonly dueAtMicros: number;
  readonly nowMicros: number;
}

/** Turns as the queue deals them out: what was missed while memprof was away comes once, when it is back. */
export function turns(): readonly Turn[] {
  const end = YEAR_START_MICROS + 365 * DAY_MICROS;
  const found: Turn[] = [];
  for (let after = YEAR_START_MICROS; ; after = found.at(-1)?.nowMicros ?? end) {
    const dueAtMicros = (nextRuns(weekly, after / 1000, 1)[0] ?? 0) * 1000;
    if (dueAtMicros >= end) return found;
    const day = (dueAtMicros - YEAR_START_MICROS) / DAY_MICROS;
    const away = MEMPROF_AWAY.find(([from, to]) => day >= from && day < to);
    // Half a minute in the queue is not late.
    const nowMicros =
      away === undefined ? dueAtMicros + 30e6 : YEAR_START_MICROS + away[1] * DAY_MICROS;
    found.push({ dueAtMicros, nowMicros });
  }
}

/** Whether the config names it on that day. */
export function isConfigured({ events }: SimulatedServer, day: number): boolean {
  const added = events.find(({ kind }) => kind === 'added');
  const removed = events.find(({ kind }) => kind === 'removed');
  if (added?.kind === 'added' && day < added.atDay) return false;
  return !(removed?.kind === 'removed' && day >= removed.atDay);
}

export function lookOf(
  server: SimulatedServer,
  nowMicros: number,
  history: readonly Reading[],
): TargetLook {
  const day = (nowMicros - YEAR_START_MICROS) / DAY_MICROS;
  const { name, events } = server;
  const isAway = events.some(
    (event) => event.kind === 'outage' && day >= event.fromDay && day < event.toDay,
  );
  if (isAway) return { kind: 'unread', target: name, why: `${name} did not answer within 60 s` };
  const wasteBytes = Math.round(wasteMiB(server, day) * MIB);
  const activeBytes = 4096 * MIB;
  return {
    kind: 'read',
    history,
    reading: {
      investigationId: `run-${Math.floor(day)}`,
      target: name,
      kind: 'frag',
      subject: '',
      atMicros: nowMicros,
      serverStartedAtMicros: startOf(server, day),
      finding: '',
      figures: { wasteBytes, activeBytes, allocatedBytes: activeBytes - wasteBytes },
      arenas: [0, 1],
      wasteClasses: [],
      queryPeaks: [],
    },
  };
}

function startOf({ events }: SimulatedServer, day: number): number {
  const restarts = events.flatMap((event) =>
    event.kind === 'restart' && event.atDay <= day ? [event.atDay] : [],
  );
  return YEAR_START_MICROS + Math.max(-30, ...restarts) * DAY_MICROS;
}

function wasteMiB({ name, baseMiB, events }: SimulatedServer, day: number): number {
  let waste = baseMiB;
  for (const event of events) {
    if (event.kind === 'jump' && day >= event.atDay) waste = event.toMiB;
    if (event.kind === 'drift' && day >= event.fromDay) {
      waste += (day - event.fromDay) * event.mibPerDay;
    }
    if (event.kind === 'restart' && day >= event.atDay) waste = baseMiB / 4;
  }
  // Up and down by up to 3 per cent, as a server breathes.
  return waste * (1 + (noise(`${name}/${Math.floor(day)}`) - 0.5) * 0.06);
}

/** A number in [0, 1) that follows from the text alone. */
function noise(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE(0) / 2 ** 32;
}
