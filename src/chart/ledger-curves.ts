import type { LevelName } from '../allocator/ledger.ts';
import type { Bytes, EpochMicros, Share } from '../units.ts';
import { byteTicks } from './byte-ticks.ts';
import type { LedgerHistory } from './ledger-history.ts';
import { multiplesOf, timeStep } from './time-ticks.ts';

/** The last hours in the unit square: x to the right, y upwards from 0 bytes. */
export interface LedgerCurves {
  readonly curves: readonly LedgerCurve[];
  readonly byteTicks: readonly { readonly bytes: Bytes; readonly y: Share }[];
  readonly timeTicks: readonly { readonly atMicros: EpochMicros; readonly x: Share }[];
}

export interface LedgerCurve {
  readonly level: LevelName;
  readonly points: readonly { readonly x: Share; readonly y: Share }[];
  readonly lastBytes: Bytes;
}

const BYTE_TICKS = 4;
const TIME_TICKS = 7;

export function layoutLedgerCurves(history: LedgerHistory): LedgerCurves {
  const { series, startAtMicros, endAtMicros } = history;
  const maxBytes = Math.max(...series.flatMap(({ points }) => points.map(({ bytes }) => bytes)), 1);
  const x = (atMicros: EpochMicros) => (atMicros - startAtMicros) / (endAtMicros - startAtMicros);
  // A tracker that frees what others allocated can be below zero.
  const y = (bytes: Bytes) => Math.max(0, bytes) / maxBytes;
  return {
    curves: series.map(({ level, points }) => ({
      level,
      points: points.map((point) => ({ x: x(point.atMicros), y: y(point.bytes) })),
      lastBytes: points.at(-1)?.bytes ?? 0,
    })),
    byteTicks: byteTicks(maxBytes, BYTE_TICKS).map((bytes) => ({ bytes, y: y(bytes) })),
    timeTicks: multiplesOf(
      timeStep(endAtMicros - startAtMicros, TIME_TICKS),
      startAtMicros,
      endAtMicros,
    ).map((atMicros) => ({ atMicros, x: x(atMicros) })),
  };
}
