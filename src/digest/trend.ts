import type { Reading, WasteClassReading } from '../reading.ts';
import type { Bytes, Count, EpochMicros, Share } from '../units.ts';

/** How far two readings may differ about when a server started: it is told as an uptime in whole seconds. */
const START_TOLERANCE_MICROS = 5_000_000;

/** Fewer readings than this have no middle worth the name. */
const FEWEST_FOR_MEDIAN: Count = 3;

/** How many readings before this one a median looks at. */
export const MEDIAN_READINGS: Count = 8;

/** How the waste of a server compares with what was read before, as far as it can be compared. */
export interface WasteTrend {
  /** The reading before, of the same start of the server. */
  readonly previous?: { readonly atMicros: EpochMicros; readonly wasteBytes: Bytes };
  readonly changeBytes?: Bytes;
  /** Of the readings before, at most eight, at least three. */
  readonly medianBytes?: Bytes;
  /** True when the server was restarted since the reading before: its counters began anew. */
  readonly isRestarted: boolean;
  /** Arenas of the reading before that are gone. */
  readonly vanishedArenas: readonly number[];
}

/** `history`: readings of the same server before this one, newest first. */
export function wasteTrend(reading: Reading, history: readonly Reading[]): WasteTrend {
  const [before] = history;
  const comparable = history.filter((one) => isSameStart(reading, one));
  const previous = comparable.find(({ figures }) => figures.wasteBytes !== undefined);
  const middle = medianOf(
    comparable
      .slice(0, MEDIAN_READINGS)
      .flatMap(({ figures }) => (figures.wasteBytes === undefined ? [] : [figures.wasteBytes])),
  );
  const nowBytes = reading.figures.wasteBytes;
  const thenBytes = previous?.figures.wasteBytes;
  return {
    isRestarted: before !== undefined && !isSameStart(reading, before),
    vanishedArenas: comparable[0] === undefined ? [] : vanishedArenas(reading, comparable[0]),
    ...(previous === undefined || thenBytes === undefined
      ? {}
      : { previous: { atMicros: previous.atMicros, wasteBytes: thenBytes } }),
    ...(nowBytes === undefined || thenBytes === undefined
      ? {}
      : { changeBytes: nowBytes - thenBytes }),
    ...(middle === undefined ? {} : { medianBytes: middle }),
  };
}

interface Started {
  readonly serverStartedAtMicros?: EpochMicros | undefined;
}

/** Where nobody told when the server started, nothing speaks against comparing. */
export function isSameStart(a: Started, b: Started): boolean {
  if (a.serverStartedAtMicros === undefined || b.serverStartedAtMicros === undefined) return true;
  return Math.abs(a.serverStartedAtMicros - b.serverStartedAtMicros) <= START_TOLERANCE_MICROS;
}

/** The waste of the same class in the reading before; undefined when it was not among the listed ones. */
export function previousWaste(
  { arena, purpose, sizeBytes }: Pick<WasteClassReading, 'arena' | 'purpose' | 'sizeBytes'>,
  previous: Reading | undefined,
): Bytes | undefined {
  return previous?.wasteClasses.find(
    (one) => one.arena === arena && one.purpose === purpose && one.sizeBytes === sizeBytes,
  )?.wasteBytes;
}

export type TrendArrow = '↑' | '↓' | '→' | '·';

/** Up or down beyond a tenth; a dot where there is nothing to compare with. */
export function trendArrow(nowBytes: Bytes, thenBytes: Bytes | undefined): TrendArrow {
  if (thenBytes === undefined) return '·';
  const share = changeShare(nowBytes, thenBytes);
  if (Math.abs(share) <= 0.1) return '→';
  return share > 0 ? '↑' : '↓';
}

/** The change as a share of what was; growth from nothing is without measure. */
export function changeShare(nowBytes: Bytes, thenBytes: Bytes): Share {
  if (nowBytes === thenBytes) return 0;
  return thenBytes === 0 ? Number.POSITIVE_INFINITY : (nowBytes - thenBytes) / thenBytes;
}

/** The middle value, or the mean of the two in the middle; undefined for fewer than three. */
function medianOf(values: readonly number[]): number | undefined {
  if (values.length < FEWEST_FOR_MEDIAN) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

function vanishedArenas(reading: Reading, before: Reading): readonly number[] {
  // A source that adds the arenas up tells of none.
  if (reading.arenas.length === 0) return [];
  const present = new Set(reading.arenas);
  return before.arenas.filter((arena) => !present.has(arena));
}
