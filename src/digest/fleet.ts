import type { Figures, QueryPeakReading, Reading } from '../reading.ts';
import type { Bytes, Share } from '../units.ts';
import type { DigestRun, FleetRow, Movement, NewPeak, TargetLook, Thresholds } from './digest.ts';
import type { TargetState } from './state.ts';
import { changeShare, isSameStart, wasteTrend } from './trend.ts';

/** Smaller changes come and go by themselves, whatever share they are. */
const NOISE_BYTES: Bytes = 2 ** 20;
const TOP_CLASSES = 3;
/** Peaks below this are no news. */
const SMALLEST_PEAK_BYTES: Bytes = 100 * 2 ** 20;

const figures: readonly (readonly [Movement['figure'], keyof Figures & keyof TargetState])[] = [
  ['allocated', 'allocatedBytes'],
  ['active', 'activeBytes'],
  ['resident', 'residentBytes'],
];

/** One server against what people last saw of it. */
export function lookAt(
  { reading, history }: Extract<TargetLook, { kind: 'read' }>,
  run: DigestRun,
): FleetRow {
  const { target, figures: read } = reading;
  const seen = run.state?.targets[target];
  const isRestarted = seen?.atMicros !== undefined && !isSameStart(reading, seen);
  const comparable = isRestarted ? undefined : seen;
  const restartedAtMicros = isRestarted ? reading.serverStartedAtMicros : seen?.untoldRestartMicros;
  const wasteBytes = read.wasteBytes ?? 0;
  const trend = wasteTrend(reading, history);
  const changeBytes =
    comparable?.wasteBytes === undefined ? undefined : wasteBytes - comparable.wasteBytes;
  const wasteShare = shareOf(wasteBytes, read.activeBytes);
  return {
    target,
    investigationId: reading.investigationId,
    wasteBytes,
    isChanged: isBeyond(wasteBytes, comparable?.wasteBytes, run.minChangeShare),
    isLoud: isTooMuch(wasteBytes, wasteShare, run.thresholds),
    vanishedArenas: trend.vanishedArenas,
    topClasses: reading.wasteClasses.slice(0, TOP_CLASSES),
    newHolders: newHolders(reading, seen),
    isRestarted,
    movements: movementsOf(reading, comparable, run.minChangeShare),
    newPeaks: newPeaks(reading, seen, run.minChangeShare),
    reading,
    ...(wasteShare === undefined ? {} : { wasteShare }),
    ...(changeBytes === undefined ? {} : { changeBytes }),
    ...(trend.medianBytes === undefined
      ? {}
      : { againstMedianBytes: wasteBytes - trend.medianBytes }),
    ...(restartedAtMicros === undefined ? {} : { restartedAtMicros }),
  };
}

function shareOf(wasteBytes: Bytes, activeBytes: Bytes | undefined): Share | undefined {
  return activeBytes === undefined || activeBytes === 0 ? undefined : wasteBytes / activeBytes;
}

function isTooMuch(wasteBytes: Bytes, wasteShare: Share | undefined, limit: Thresholds): boolean {
  return (
    wasteBytes > (limit.wasteBytes ?? Number.POSITIVE_INFINITY) ||
    (wasteShare ?? 0) > (limit.wasteShare ?? Number.POSITIVE_INFINITY)
  );
}

function isBeyond(nowBytes: Bytes, thenBytes: Bytes | undefined, minShare: Share): boolean {
  if (thenBytes === undefined || Math.abs(nowBytes - thenBytes) < NOISE_BYTES) return false;
  return Math.abs(changeShare(nowBytes, thenBytes)) > minShare;
}

function newHolders({ wasteClasses }: Reading, seen: TargetState | undefined): readonly string[] {
  if (seen === undefined) return [];
  const known = new Set(['', ...seen.holders]);
  return [...new Set(wasteClasses.map(({ holder }) => holder))].filter((name) => !known.has(name));
}

function movementsOf(
  { target, figures: read }: Reading,
  seen: TargetState | undefined,
  minShare: Share,
): readonly Movement[] {
  return figures.flatMap(([figure, key]) => {
    const nowBytes = read[key];
    const thenBytes = seen?.[key];
    if (nowBytes === undefined || typeof thenBytes !== 'number') return [];
    if (!isBeyond(nowBytes, thenBytes, minShare)) return [];
    return [{ target, figure, nowBytes, changeBytes: nowBytes - thenBytes }];
  });
}

/** Queries that went beyond their own record, and unknown ones that went beyond every record of the server. */
function newPeaks(
  { target, queryPeaks }: Reading,
  seen: TargetState | undefined,
  minShare: Share,
): readonly NewPeak[] {
  if (seen === undefined) return [];
  const record = Math.max(0, ...Object.values(seen.peaks));
  const highest = new Map<string, QueryPeakReading>();
  for (const peak of [...seen.untoldPeaks, ...queryPeaks]) {
    const known = highest.get(peak.queryHash);
    if (known === undefined || peak.peakBytes >= known.peakBytes) highest.set(peak.queryHash, peak);
  }
  return [...highest.values()].flatMap((peak) => {
    const before = seen.peaks[peak.queryHash];
    const isNews = peak.peakBytes > (before ?? record) * (1 + minShare);
    if (!isNews || peak.peakBytes < SMALLEST_PEAK_BYTES) return [];
    return [{ ...peak, target, ...(before === undefined ? {} : { beforeBytes: before }) }];
  });
}
