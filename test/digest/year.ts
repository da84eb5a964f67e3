import { createHash } from 'node:crypto';
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
