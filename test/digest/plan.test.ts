import { describe, expect, it } from 'vitest';
import type { DigestPlan, DigestRun, TargetLook } from '../../src/digest/digest.ts';
import { planDigest } from '../../src/digest/plan.ts';
import { DigestState } from '../../src/digest/state.ts';
import type { Reading } from '../../src/reading.ts';

const MIB = 2 ** 20;
const WEEK_MICROS = 7 * 86_400e6;
const START = 1_796_000_000_000_000;
const NOW = START + 40 * WEEK_MICROS;

const readingOf = (target: string, wasteMiB: number, changes: Partial<Reading> = {}): Reading => ({
  investigationId: 'k7f2m9qd',
  target,
  kind: 'frag',
  subject: '',
  atMicros: NOW,
  serverStartedAtMicros: START,
  finding: `${target} wastes ${wasteMiB} MiB in slabs.`,
  figures: {
    wasteBytes: wasteMiB * MIB,
    allocatedBytes: 900 * MIB,
    activeBytes: 1000 * MIB,
    residentBytes: 1200 * MIB,
  },
  arenas: [0, 1],
  wasteClasses: [
    {
      arena: 0,
      purpose: '',
      sizeBytes: 256,
      wasteBytes: (wasteMiB * MIB) / 2,
      utilisation: 0.2,
      holder: 'DB::insert',
    },
  ],
  queryPeaks: [],
  ...changes,
});

const read = (target: string, wasteMiB: number, changes: Partial<Reading> = {}): TargetLook => ({
  kind: 'read',
  reading: readingOf(target, wasteMiB, changes),
  history: [],
});

const unread = (target: string): TargetLook => ({
  kind: 'unread',
  target,
  why: `${target} did not answer within 60 s`,
});

const run = (looks: readonly TargetLook[], changes: Partial<DigestRun> = {}): DigestRun => ({
  nowMicros: NOW,
  dueAtMicros: NOW,
  minChangeShare: 0.1,
  isAlwaysPosted: false,
  thresholds: {},
  looks,
  ...changes,
});

/** The next run after `plan`, so many weeks later. The state goes through JSON as it does in a store. */
const runLater = (
  plan: DigestPlan,
  looks: readonly TargetLook[],
  changes: Partial<DigestRun> & { readonly weeks?: number } = {},
) => {
  const { weeks = 1, ...rest } = changes;
  const state = DigestState.parse(JSON.parse(JSON.stringify(plan.state)));
  const nowMicros = state.lastRunAtMicros + weeks * WEEK_MICROS;
  return planDigest(run(looks, { nowMicros, dueAtMicros: nowMicros, state, ...rest }));
};

const said = ({ kind, reasons }: DigestPlan) => [
  kind,
  ...reasons.map((reason) => `${reason.kind} ${reason.target ?? ''}`.trim()),
];

describe('planDigest', () => {
  it('posts its first run', () => {
    const plan = planDigest(run([read('chi-1', 10)]));
    expect(said(plan)).toEqual(['post', 'first']);
    expect(plan.totalWasteBytes).toBe(10 * MIB);
    expect(plan.compared).toBeUndefined();
  });

  it('is silent when nothing changed beyond what it lets pass', () => {
    const first = planDigest(run([read('chi-1', 100), read('chi-2', 5)]));
    expect(said(runLater(first, [read('chi-1', 109.9), read('chi-2', 5.5)]))).toEqual(['silent']);
    expect(said(runLater(first, [read('chi-1', 111), read('chi-2', 5)]))).toEqual([
      'post',
      'changed chi-1',
    ]);
    expect(said(runLater(first, [read('chi-1', 89), read('chi-2', 5)]))).toEqual([
      'post',
      'changed chi-1',
    ]);
  });

  it('takes less than a MiB for noise, whatever share it is', () => {
    const first = planDigest(run([read('chi-1', 0.5)]));
    expect(said(runLater(first, [read('chi-1', 1.4)]))).toEqual(['silent']);
    expect(said(runLater(first, [read('chi-1', 1.6)]))).toEqual(['post', 'changed chi-1']);
  });

  it('tells a slow drift once it adds up, since people last saw the old figure', () => {
    let plan = planDigest(run([read('chi-1', 100)]));
    plan = runLater(plan, [read('chi-1', 106)]);
    expect(said(plan)).toEqual(['silent']);
    plan = runLater(plan, [read('chi-1', 112)]);
    expect(said(plan)).toEqual(['post', 'changed chi-1']);
    expect(plan.fleet[0]?.changeBytes).toBe(12 * MIB);
    expect(said(runLater(plan, [read('chi-1', 112)]))).toEqual(['silent']);
  });

  it('posts every run when it is told to', () => {
    const first = planDigest(run([read('chi-1', 100)]));
    const plan = runLater(first, [read('chi-1', 100)], { isAlwaysPosted: true });
    expect(said(plan)).toEqual(['post']);
  });

  it('gives a sign of life after a month of silence, once', () => {
    let plan = planDigest(run([read('chi-1', 100)]));
    const kinds = Array.from({ length: 9 }, () => {
      plan = runLater(plan, [read('chi-1', 100)]);
      return `${plan.kind} ${plan.silentRuns}`;
    });
    expect(kinds).toEqual([
      ...['silent 0', 'silent 1', 'silent 2', 'alive 3'],
      ...['silent 0', 'silent 1', 'silent 2', 'alive 3'],
      'silent 0',
    ]);
  });

  it('is loud when a threshold is passed, says so once, and says when it is over', () => {
    const thresholds = { wasteBytes: 104 * MIB };
    const first = planDigest(run([read('chi-1', 100)], { thresholds }));
    expect(first.isLoud).toBe(false);
    const loud = runLater(first, [read('chi-1', 105)], { thresholds });
    expect(said(loud)).toEqual(['post', 'loud chi-1']);
    expect(loud.isLoud).toBe(true);
    const still = runLater(loud, [read('chi-1', 105)], { thresholds });
    expect(said(still)).toEqual(['silent']);
    expect(said(runLater(still, [read('chi-1', 103)], { thresholds }))).toEqual([
      'post',
      'calm chi-1',
    ]);
  });

  it('measures a threshold in shares of active bytes as well', () => {
    const plan = planDigest(run([read('chi-1', 251)], { thresholds: { wasteShare: 0.25 } }));
    expect(plan.isLoud).toBe(true);
    expect(plan.fleet[0]?.wasteShare).toBeCloseTo(0.251);
  });

  it('lists what did not answer, tells it once, and tells when it answers again', () => {
    const first = planDigest(run([read('chi-1', 10), read('chi-2', 10)]));
    const away = runLater(first, [read('chi-1', 10), unread('chi-2')]);
    expect(said(away)).toEqual(['post', 'unread chi-2']);
    const still = runLater(away, [read('chi-1', 10), unread('chi-2')]);
    expect(said(still)).toEqual(['silent']);
    expect(still.unread).toEqual([
      { target: 'chi-2', why: 'chi-2 did not answer within 60 s', sinceMicros: NOW + WEEK_MICROS },
    ]);
    const back = runLater(still, [read('chi-1', 10), read('chi-2', 20)]);
    expect(said(back)).toEqual(['post', 'answers chi-2', 'changed chi-2']);
    expect(said(runLater(back, [read('chi-1', 10), read('chi-2', 20)]))).toEqual(['silent']);
  });

  it('lists a server that never answered', () => {
    const first = planDigest(run([unread('chi-1')]));
    expect(said(first)).toEqual(['post', 'first']);
    expect(first.unread).toHaveLength(1);
    expect(said(runLater(first, [read('chi-1', 10)]))).toEqual(['post', 'answers chi-1']);
  });

  it('compares nothing across a restart and says when it was', () => {
    const restarted = { serverStartedAtMicros: NOW + 5 * 86_400e6 };
    const first = planDigest(run([read('chi-1', 100), read('chi-2', 100)]));
    const plan = runLater(first, [read('chi-1', 1, restarted), read('chi-2', 120)]);
    expect(said(plan)).toEqual(['post', 'changed chi-2']);
    const row = plan.fleet.find(({ target }) => target === 'chi-1');
    expect(row).toMatchObject({ restartedAtMicros: NOW + 5 * 86_400e6, isChanged: false });
    expect(row?.changeBytes).toBeUndefined();
    expect(row?.movements).toEqual([]);
    expect(plan.compared).toEqual({ thenBytes: 100 * MIB, nowBytes: 120 * MIB });
  });

  it('measures anew from a restart in a silent run, and tells of it with the next post', () => {
    const restarted = { serverStartedAtMicros: NOW + 5 * 86_400e6 };
    const first = planDigest(run([read('chi-1', 100)]));
    const silent = runLater(first, [read('chi-1', 2, restarted)]);
    expect(said(silent)).toEqual(['silent']);
    const plan = runLater(silent, [read('chi-1', 4, restarted)]);
    expect(said(plan)).toEqual(['post', 'changed chi-1']);
    expect(plan.fleet[0]).toMatchObject({
      changeBytes: 2 * MIB,
      restartedAtMicros: NOW + 5 * 86_400e6,
    });
    expect(
      runLater(plan, [read('chi-1', 4, restarted)]).fleet[0]?.restartedAtMicros,
    ).toBeUndefined();
  });

  it('does not take the jitter of an uptime for a restart', () => {
    const first = planDigest(run([read('chi-1', 100)]));
    const plan = runLater(first, [read('chi-1', 100, { serverStartedAtMicros: START + 900_000 })]);
    expect(plan.fleet[0]?.restartedAtMicros).toBeUndefined();
    expect(said(plan)).toEqual(['silent']);
  });

  it('tells of servers that the config names anew, no more, or otherwise', () => {
    const first = planDigest(run([read('chi-1', 10), read('chi-2', 10)]));
    const plan = runLater(first, [read('chi-1', 10), read('chi-2-new', 10)]);
    expect(said(plan)).toEqual(['post', 'new chi-2-new', 'gone chi-2']);
    expect(plan.gone).toEqual(['chi-2']);
    expect(said(runLater(plan, [read('chi-1', 10), read('chi-2-new', 10)]))).toEqual(['silent']);
  });

  it('says when it means no server at all', () => {
    const first = planDigest(run([read('chi-1', 10)]));
    expect(said(runLater(first, []))).toEqual(['post', 'nobody']);
  });

  it('knows that a run is late', () => {
    const plan = planDigest(run([read('chi-1', 10)], { dueAtMicros: NOW - 3 * 3600e6 }));
    expect(plan.lateMs).toBe(3 * 3_600_000);
    const onTime = planDigest(run([read('chi-1', 10)], { dueAtMicros: NOW - 60e6 }));
    expect(onTime.lateMs).toBeUndefined();
  });

  it('puts outliers first: beyond a threshold, changed, then most waste', () => {
    const looks = [read('a', 10), read('b', 20), read('c', 30), read('d', 40), read('e', 50)];
    const thresholds = { wasteBytes: 45 * MIB };
    const first = planDigest(run(looks, { thresholds }));
    expect(first.fleet.map(({ target }) => target)).toEqual(['e', 'd', 'c', 'b', 'a']);
    const plan = runLater(
      first,
      [read('a', 20), read('b', 25), read('c', 30), read('d', 40), read('e', 50)],
      { thresholds },
    );
    expect(plan.fleet.map(({ target }) => target)).toEqual(['e', 'a', 'b', 'd', 'c']);
  });

  it('compares with the median of the last eight readings of the same start', () => {
    const weeksAgo = (weeks: number, wasteMiB: number, startedAt = START) =>
      readingOf('chi-1', wasteMiB, {
        atMicros: NOW - weeks * WEEK_MICROS,
        serverStartedAtMicros: startedAt,
      });
    const history = [weeksAgo(1, 12), weeksAgo(2, 10), weeksAgo(3, 11), weeksAgo(4, 90, 1000)];
    const look: TargetLook = { kind: 'read', reading: readingOf('chi-1', 15), history };
    expect(planDigest(run([look])).fleet[0]?.againstMedianBytes).toBe(4 * MIB);
    const short: TargetLook = { ...look, history: history.slice(0, 2) };
    expect(planDigest(run([short])).fleet[0]?.againstMedianBytes).toBeUndefined();
  });

  it('names arenas that vanished and holders that are new', () => {
    const holders = [{ ...readingOf('x', 1).wasteClasses[0]!, holder: 'DB::merge' }];
    const first = planDigest(run([read('chi-1', 100)]));
    const look: TargetLook = {
      kind: 'read',
      reading: readingOf('chi-1', 120, { arenas: [0], wasteClasses: holders }),
      history: [readingOf('chi-1', 100, { atMicros: NOW })],
    };
    const [row] = runLater(first, [look]).fleet;
    expect(row?.vanishedArenas).toEqual([1]);
    expect(row?.newHolders).toEqual(['DB::merge']);
  });

  it('lists the largest movements of allocated, active and resident', () => {
    const moved = { allocatedBytes: 950 * MIB, activeBytes: 1500 * MIB, residentBytes: 900 * MIB };
    const first = planDigest(run([read('chi-1', 100)]));
    const plan = runLater(first, [
      read('chi-1', 100, { figures: { wasteBytes: 100 * MIB, ...moved } }),
    ]);
    expect(plan.movements).toEqual([
      { target: 'chi-1', figure: 'active', nowBytes: 1500 * MIB, changeBytes: 500 * MIB },
      { target: 'chi-1', figure: 'resident', nowBytes: 900 * MIB, changeBytes: -300 * MIB },
    ]);
    expect(said(plan)).toEqual(['silent']);
  });

  it('keeps a new peak of a silent run until it posts, and tells it once', () => {
    const peak = (queryHash: string, peakMiB: number) => ({
      ...{ queryHash, queryId: `q-${peakMiB}`, user: 'default', runs: 3 },
      peakBytes: peakMiB * MIB,
    });
    const with_ = (wasteMiB: number, ...peaks: ReturnType<typeof peak>[]) =>
      read('chi-1', wasteMiB, { queryPeaks: peaks });
    const first = planDigest(run([with_(100, peak('1', 500), peak('2', 200))]));
    expect(first.newPeaks).toEqual([]);
    const silent = runLater(first, [with_(100, peak('2', 300), peak('3', 400))]);
    expect(said(silent)).toEqual(['silent']);
    const plan = runLater(silent, [with_(120, peak('2', 250), peak('4', 900))]);
    expect(plan.newPeaks.map(({ queryHash, peakBytes }) => [queryHash, peakBytes / MIB])).toEqual([
      ['4', 900],
      ['2', 300],
    ]);
    expect(plan.newPeaks[1]?.beforeBytes).toBe(200 * MIB);
    const again = runLater(plan, [with_(150, peak('2', 300), peak('4', 950))]);
    expect(again.newPeaks).toEqual([]);
  });

  it('gives two digests of one minute each their own measure', () => {
    const looks = [read('chi-1', 120)];
    const early = planDigest(run([read('chi-1', 100)]));
    const late = planDigest(run([read('chi-1', 118)]));
    expect(runLater(early, looks).fleet[0]?.changeBytes).toBe(20 * MIB);
    expect(runLater(late, looks).fleet[0]?.changeBytes).toBe(2 * MIB);
    expect(said(runLater(late, looks))).toEqual(['silent']);
  });
});
