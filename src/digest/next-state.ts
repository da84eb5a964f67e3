import type { DigestPlan, DigestRun, FleetRow, UnreadRow } from './digest.ts';
import type { DigestState, TargetState } from './state.ts';

/** Remembered per server, so that a busy one does not fill the state. */
const PEAKS_REMEMBERED = 20;
const HOLDERS_REMEMBERED = 20;

interface Outcome {
  readonly run: DigestRun;
  readonly kind: DigestPlan['kind'];
  readonly fleet: readonly FleetRow[];
  readonly unread: readonly UnreadRow[];
}

/**
 * What the next run starts from. A post makes what was read the new measure; a silent run leaves the old one, so that
 * a slow drift is told once it adds up. A restart makes a new measure in any case.
 */
export function nextState({ run, kind, fleet, unread }: Outcome): DigestState {
  const { nowMicros, state } = run;
  const before = state?.targets ?? {};
  const isTold = kind === 'post';
  return {
    version: 1,
    lastRunAtMicros: nowMicros,
    lastPostedAtMicros: kind === 'silent' ? (state?.lastPostedAtMicros ?? nowMicros) : nowMicros,
    silentRuns: kind === 'silent' ? (state?.silentRuns ?? 0) + 1 : 0,
    targets: Object.fromEntries([
      ...fleet.map((row) => [row.target, afterReading(row, before[row.target], isTold)]),
      ...unread.map((row) => [row.target, afterSilence(row, before[row.target])]),
    ]),
  };
}

function afterReading(
  row: FleetRow,
  before: TargetState | undefined,
  isTold: boolean,
): TargetState {
  const isMeasured = before?.atMicros !== undefined && !row.isRestarted;
  return isTold || !isMeasured
    ? measure(row, before, isTold)
    : { ...before, untoldPeaks: untoldPeaks(row) };
}

/** The server as it was read now. Peaks outlive a restart: they are of queries, not of counters. */
function measure(row: FleetRow, before: TargetState | undefined, isTold: boolean): TargetState {
  const { reading } = row;
  const { allocatedBytes, activeBytes, residentBytes } = reading.figures;
  const holders = reading.wasteClasses.map(({ holder }) => holder).filter((name) => name !== '');
  return {
    atMicros: reading.atMicros,
    wasteBytes: row.wasteBytes,
    holders: [...new Set(holders)].slice(0, HOLDERS_REMEMBERED),
    isLoud: row.isLoud,
    peaks: isTold ? records(row, before) : (before?.peaks ?? {}),
    untoldPeaks: isTold ? [] : untoldPeaks(row),
    ...(isTold || row.restartedAtMicros === undefined
      ? {}
      : { untoldRestartMicros: row.restartedAtMicros }),
    ...(reading.serverStartedAtMicros === undefined
      ? {}
      : { serverStartedAtMicros: reading.serverStartedAtMicros }),
    ...(allocatedBytes === undefined ? {} : { allocatedBytes }),
    ...(activeBytes === undefined ? {} : { activeBytes }),
    ...(residentBytes === undefined ? {} : { residentBytes }),
  };
}

function afterSilence({ sinceMicros }: UnreadRow, before: TargetState | undefined): TargetState {
  const known = before ?? { holders: [], isLoud: false, peaks: {}, untoldPeaks: [] };
  return { ...known, unreadSinceMicros: sinceMicros };
}

/** The highest peak of each query, the highest ones only. */
function records(
  { reading, newPeaks }: FleetRow,
  before: TargetState | undefined,
): TargetState['peaks'] {
  const peaks = new Map(Object.entries(before?.peaks ?? {}));
  for (const { queryHash, peakBytes } of [...reading.queryPeaks, ...newPeaks]) {
    peaks.set(queryHash, Math.max(peakBytes, peaks.get(queryHash) ?? 0));
  }
  const highest = [...peaks].sort(([, a], [, b]) => b - a).slice(0, PEAKS_REMEMBERED);
  return Object.fromEntries(highest);
}

function untoldPeaks({ newPeaks }: FleetRow): TargetState['untoldPeaks'] {
  return [...newPeaks]
    .sort((a, b) => b.peakBytes - a.peakBytes)
    .slice(0, PEAKS_REMEMBERED)
    .map(({ queryHash, queryId, user, peakBytes, runs }) => ({
      ...{ queryHash, queryId, user, peakBytes, runs },
    }));
}
