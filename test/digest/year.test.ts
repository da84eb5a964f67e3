import { describe, expect, it } from 'vitest';
import type { DigestPlan } from '../../src/digest/digest.ts';
import { planDigest } from '../../src/digest/plan.ts';
import { DigestState } from '../../src/digest/state.ts';
import type { Reading } from '../../src/reading.ts';
import { digestFinding, lateWords } from '../../templates/message/digest-words.ts';
import {
  DAY_MICROS,
  fleet,
  isConfigured,
  lookOf,
  MIB,
  type Turn,
  turns,
  YEAR_START_MICROS,
} from './year.ts';

const MIN_CHANGE = 0.1;

interface Told extends Turn {
  readonly plan: DigestPlan;
}

/** A year of runs. State and readings go through JSON between any two of them, as if everything was restarted. */
function liveAYear(): readonly Told[] {
  const kept = new Map<string, string[]>();
  let state: string | undefined;
  return turns().map(({ dueAtMicros, nowMicros }) => {
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

const minuteOf = (micros: number) =>
  new Date(micros / 1000).toISOString().slice(0, 16).replace('T', ' ');

const spoken = (told: readonly Told[]) => told.filter(({ plan }) => plan.kind !== 'silent');

const reasonsOf = ({ plan }: Told) =>
  plan.kind === 'alive'
    ? 'alive'
    : plan.reasons.map(({ kind, target }) => [kind, target].filter(Boolean).join(' ')).join(', ');

describe('a year of a weekly digest over 200 servers', () => {
  const told = liveAYear();

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
