import { describe, expect, it } from 'vitest';
import { nextRuns } from '../../src/digest/cron.ts';
import type { DigestPlan } from '../../src/digest/digest.ts';
import { planDigest } from '../../src/digest/plan.ts';
import { DigestState } from '../../src/digest/state.ts';
import type { Reading } from '../../src/reading.ts';
import { digestFinding, lateWords } from '../../templates/message/digest-words.ts';
import {
  DAY_MICROS,
  isConfigured,
  lookOf,
  MIB,
  type SimulatedServer,
  YEAR_START_MICROS,
} from './year.ts';

const MIN_CHANGE = 0.1;

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

const fleet: readonly SimulatedServer[] = [
  ...Array.from({ length: 200 }, (_, index) => `chi-${String(index + 1).padStart(3, '0')}`),
  'chi-150b',
].map((name, index) => ({ name, baseMiB: 20 + (index % 40) * 5, events: events[name] ?? [] }));

/** memprof itself is away for these days. */
const MEMPROF_AWAY: readonly (readonly [fromDay: number, toDay: number])[] = [[170, 186.5]];

const weekly = { cron: '0 9 * * 1', timeZone: 'Europe/Berlin' };

interface Told {
  readonly nowMicros: number;
  readonly dueAtMicros: number;
  readonly plan: DigestPlan;
}

/** A year of runs. State and readings go through JSON between any two of them, as if everything was restarted. */
function liveAYear(schedule: typeof weekly): readonly Told[] {
  const kept = new Map<string, string[]>();
  let state: string | undefined;
  return turns(schedule).map(({ dueAtMicros, nowMicros }) => {
    const day = (nowMicros - YEAR_START_MICROS) / DAY_MICROS;
    const looks = fleet
      .filter((server) => isConfigured(server, day))
      .map((server) => {
        const history = (kept.get(server.name) ?? []).map((json) => JSON.parse(json) as Reading);
        return lookOf(server, nowMicros, history);
      });
    const plan = planDigest({
      nowMicros,
      dueAtMicros,
      looks,
      minChangeShare: MIN_CHANGE,
      isAlwaysPosted: false,
      thresholds: { wasteBytes: 1024 * MIB },
      ...(state === undefined ? {} : { state: DigestState.parse(JSON.parse(state)) }),
    });
    state = JSON.stringify(plan.state);
    for (const look of looks) {
      if (look.kind === 'unread') continue;
      const before = kept.get(look.reading.target) ?? [];
      kept.set(look.reading.target, [JSON.stringify(look.reading), ...before].slice(0, 8));
    }
    return { nowMicros, dueAtMicros, plan };
  });
}

/** Turns as the queue deals them out: what was missed while memprof was away comes once, when it is back. */
function turns(schedule: typeof weekly): readonly Pick<Told, 'nowMicros' | 'dueAtMicros'>[] {
  const end = YEAR_START_MICROS + 365 * DAY_MICROS;
  const found: Pick<Told, 'nowMicros' | 'dueAtMicros'>[] = [];
  for (let after = YEAR_START_MICROS; ; after = found.at(-1)?.nowMicros ?? end) {
    const dueAtMicros = (nextRuns(schedule, after / 1000, 1)[0] ?? 0) * 1000;
    if (dueAtMicros >= end) return found;
    const day = (dueAtMicros - YEAR_START_MICROS) / DAY_MICROS;
    const away = MEMPROF_AWAY.find(([from, to]) => day >= from && day < to);
    // Half a minute in the queue is not late.
    const nowMicros =
      away === undefined ? dueAtMicros + 30e6 : YEAR_START_MICROS + away[1] * DAY_MICROS;
    found.push({ dueAtMicros, nowMicros });
  }
}

const minuteOf = (micros: number) =>
  new Date(micros / 1000).toISOString().slice(0, 16).replace('T', ' ');

const spoken = (told: readonly Told[]) => told.filter(({ plan }) => plan.kind !== 'silent');

const reasonsOf = ({ plan }: Told) =>
  plan.kind === 'alive'
    ? 'alive'
    : plan.reasons.map(({ kind, target }) => [kind, target].filter(Boolean).join(' ')).join(', ');

describe('a year of a weekly digest over 200 servers', () => {
  const told = liveAYear(weekly);

  it('speaks when something changed, once a month when nothing did, and never else', () => {
    expect(spoken(told).map((one) => `${minuteOf(one.nowMicros)} ${reasonsOf(one)}`)).toEqual([
      // 09:00 in Berlin is 07:00 UTC in summer and 08:00 UTC in winter.
      '2026-09-07 07:00 first',
      '2026-10-05 07:00 alive',
      '2026-10-12 07:00 changed chi-007',
      '2026-11-09 08:00 alive',
      '2026-11-16 08:00 changed chi-007',
      '2026-12-14 08:00 alive',
      '2026-12-21 08:00 unread chi-031',
      '2027-01-11 08:00 answers chi-031',
      '2027-02-08 08:00 changed chi-050',
      // The turns of 22 February and 1 March, once, when memprof is back.
      '2027-03-06 12:00 changed chi-050',
      '2027-03-22 08:00 changed chi-050, new chi-150b, gone chi-150',
      '2027-04-05 07:00 changed chi-050',
      '2027-04-19 07:00 changed chi-050',
      '2027-05-10 07:00 loud chi-099, changed chi-099',
      '2027-05-31 07:00 changed chi-050',
      '2027-06-21 07:00 calm chi-099',
      '2027-07-19 07:00 changed chi-050',
      '2027-08-02 07:00 changed chi-050',
      '2027-08-30 07:00 alive',
    ]);
  });

  it('says it in these words', async () => {
    const lines = spoken(told).map(({ plan, nowMicros, dueAtMicros }) =>
      [
        `${minuteOf(nowMicros)} ${plan.kind}${plan.isLoud ? ' LOUD' : ''}`,
        digestFinding(plan, 'all', MIN_CHANGE),
        lateWords(plan, dueAtMicros),
      ]
        .filter((line) => line !== '')
        .join('\n'),
    );
    await expect(`${lines.join('\n\n')}\n`).toMatchFileSnapshot('../golden/digest/year-weekly.txt');
  });

  it('runs every week but for the two that memprof was away, whose turns come once and late', () => {
    expect(told).toHaveLength(51);
    const late = told.filter(({ plan }) => plan.lateMs !== undefined);
    expect(
      late.map(({ dueAtMicros, nowMicros }) => [dueAtMicros, nowMicros].map(minuteOf)),
    ).toEqual([['2027-02-22 08:00', '2027-03-06 12:00']]);
  });

  it('drops no server in any run', () => {
    for (const { plan, nowMicros } of told) {
      const day = (nowMicros - YEAR_START_MICROS) / DAY_MICROS;
      const meant = fleet.filter((server) => isConfigured(server, day)).map(({ name }) => name);
      const shown = [...plan.fleet, ...plan.unread].map(({ target }) => target);
      expect(shown.sort()).toEqual(meant.sort());
    }
  });

  it('compares nothing across a restart', () => {
    for (const { plan } of told) {
      for (const row of plan.fleet.filter(({ isRestarted }) => isRestarted)) {
        expect(row.changeBytes).toBeUndefined();
        expect(row.isChanged).toBe(false);
      }
    }
    const restarts = told.flatMap(({ plan }) =>
      plan.fleet.filter(({ isRestarted }) => isRestarted),
    );
    expect(restarts.map(({ target }) => target)).toEqual(['chi-020', 'chi-099']);
  });
});
