import type { Count, Milliseconds } from '../units.ts';
import type { DigestPlan, DigestRun, FleetRow, Reason, TargetLook, UnreadRow } from './digest.ts';
import { lookAt } from './fleet.ts';
import { nextState } from './next-state.ts';
import type { TargetState } from './state.ts';

/** A run that starts later than this was missed while memprof or its queue was away. */
const LATE_AFTER_MS: Milliseconds = 600_000;
/** A month less a day, so that a weekly digest speaks every fourth week also when clocks change. */
const ALIVE_AFTER_MICROS = 27 * 86_400e6;
const MOVEMENTS: Count = 3;
const NEW_PEAKS: Count = 5;

/** Decides what one run of a digest says. Pure: the same readings, state and moment give the same plan. */
export function planDigest(run: DigestRun): DigestPlan {
  const { nowMicros, state, looks } = run;
  const fleet = looks.flatMap((look) => (look.kind === 'read' ? [lookAt(look, run)] : []));
  const unread = looks.flatMap((look) => (look.kind === 'unread' ? [toUnread(look, run)] : []));
  const meant = new Set([...fleet, ...unread].map(({ target }) => target));
  const gone = Object.keys(state?.targets ?? {}).filter((target) => !meant.has(target));
  const reasons = reasonsOf(run, { fleet, unread, gone });
  const lateMs = Math.round((nowMicros - run.dueAtMicros) / 1000);
  const kind = kindOf(run, reasons);
  const comparable = fleet.filter(({ changeBytes }) => changeBytes !== undefined);
  const nowBytes = sum(comparable.map(({ wasteBytes }) => wasteBytes));
  const changeBytes = sum(comparable.map((row) => row.changeBytes ?? 0));
  return {
    kind,
    reasons,
    isLoud: fleet.some((row) => row.isLoud),
    fleet: [...fleet].sort(byOutlier),
    unread,
    gone,
    totalWasteBytes: sum(fleet.map(({ wasteBytes }) => wasteBytes)),
    movements: fleet
      .flatMap(({ movements }) => movements)
      .sort((a, b) => Math.abs(b.changeBytes) - Math.abs(a.changeBytes))
      .slice(0, MOVEMENTS),
    newPeaks: fleet
      .flatMap(({ newPeaks }) => newPeaks)
      .sort((a, b) => b.peakBytes - a.peakBytes)
      .slice(0, NEW_PEAKS),
    silentRuns: state?.silentRuns ?? 0,
    state: nextState({ run, kind, fleet, unread }),
    ...(state === undefined ? {} : { lastPostedAtMicros: state.lastPostedAtMicros }),
    ...(lateMs > LATE_AFTER_MS ? { lateMs } : {}),
    ...(comparable.length === 0
      ? {}
      : { compared: { thenBytes: nowBytes - changeBytes, nowBytes } }),
  };
}

function kindOf({ isAlwaysPosted, nowMicros, state }: DigestRun, reasons: readonly Reason[]) {
  if (isAlwaysPosted || reasons.length > 0 || state === undefined) return 'post';
  return nowMicros - state.lastPostedAtMicros >= ALIVE_AFTER_MICROS ? 'alive' : 'silent';
}

interface Seen {
  readonly fleet: readonly FleetRow[];
  readonly unread: readonly UnreadRow[];
  readonly gone: readonly string[];
}

function reasonsOf({ state, looks }: DigestRun, { fleet, unread, gone }: Seen): readonly Reason[] {
  if (looks.length === 0) return [{ kind: 'nobody' }];
  if (state === undefined) return [{ kind: 'first' }];
  const { targets } = state;
  return [
    ...fleet.flatMap((row) => reasonsOfRow(row, targets[row.target])),
    ...unread.flatMap(({ target }): readonly Reason[] => {
      const before = targets[target];
      const isNews = before?.unreadSinceMicros === undefined;
      return isNews ? [{ kind: before === undefined ? 'new' : 'unread', target }] : [];
    }),
    ...gone.map((target): Reason => ({ kind: 'gone', target })),
  ];
}

function reasonsOfRow(row: FleetRow, before: TargetState | undefined): readonly Reason[] {
  const { target, isLoud, isChanged } = row;
  const wasLoud = before?.isLoud === true;
  const found: readonly (readonly [Reason['kind'], boolean])[] = [
    ['new', before === undefined],
    ['answers', before?.unreadSinceMicros !== undefined],
    ['loud', isLoud && !wasLoud],
    ['calm', wasLoud && !isLoud],
    ['changed', isChanged],
  ];
  return found.filter(([, holds]) => holds).map(([kind]) => ({ kind, target }));
}

function toUnread(
  { target, why }: Extract<TargetLook, { kind: 'unread' }>,
  { state, nowMicros }: DigestRun,
): UnreadRow {
  return { target, why, sinceMicros: state?.targets[target]?.unreadSinceMicros ?? nowMicros };
}

/** Beyond a threshold first, then by how much they changed, then by their waste. */
function byOutlier(a: FleetRow, b: FleetRow): number {
  return (
    Number(b.isLoud) - Number(a.isLoud) ||
    Number(b.isChanged) - Number(a.isChanged) ||
    (a.isChanged ? Math.abs(b.changeBytes ?? 0) - Math.abs(a.changeBytes ?? 0) : 0) ||
    b.wasteBytes - a.wasteBytes ||
    (a.target < b.target ? -1 : 1)
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
