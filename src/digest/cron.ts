import { CronExpressionParser } from 'cron-parser';
import cronstrue from 'cronstrue';
import { Failure } from '../failure.ts';
import type { EpochMillis, Milliseconds } from '../units.ts';

/** A digest reads every server it covers; more often than this it would be monitoring, badly. */
const SHORTEST_GAP_MS: Milliseconds = 3_600_000;
/** Enough to meet the closest pair of runs of a pattern that is not the same every day. */
const LOOK_AHEAD = 60;

/** A cron pattern of five fields that runs at most hourly; throws `usage` for any other. */
export function readCron(typed: string, nowMillis: EpochMillis): string {
  const cron = typed.trim().replace(/\s+/g, ' ');
  const fields = cron === '' ? 0 : cron.split(' ').length;
  if (fields !== 5) {
    throw badCron(
      cron,
      fields === 6
        ? 'it has six fields, and seconds are finer than a digest can be'
        : `it has ${fields} of five fields: minute, hour, day of month, month, day of week`,
    );
  }
  if (/H/i.test(cron.replace(/\b(?:thu|march)\b/gi, ''))) {
    throw badCron(cron, 'H stands for a random moment, and people want to know when');
  }
  const gapMs = shortestGap(cron, nowMillis);
  if (gapMs < SHORTEST_GAP_MS) {
    throw new Failure('usage', {
      what: `A digest cannot run that often: "${cron}" is ${readBack(cron).toLowerCase()}`,
      why: 'each run reads every server it covers, so once an hour is the most',
      fix: 'Take an hour or more between two runs: cron:"0 9 * * 1" for every Monday at 09:00',
    });
  }
  return cron;
}

/** The next moments of a pattern after `afterMillis`, in UTC milliseconds. Daylight saving is that of the time zone. */
export function nextRuns(
  { cron, timeZone }: { readonly cron: string; readonly timeZone: string },
  afterMillis: EpochMillis,
  count: number,
): readonly EpochMillis[] {
  const expression = CronExpressionParser.parse(cron, {
    tz: timeZone,
    currentDate: new Date(afterMillis),
  });
  return Array.from({ length: count }, () => expression.next().getTime());
}

/** A pattern in words: "At 09:00, only on Monday". */
export function readBack(cron: string): string {
  return cronstrue.toString(cron, { use24HourTimeFormat: true });
}

function shortestGap(cron: string, nowMillis: EpochMillis): Milliseconds {
  try {
    const runs = nextRuns({ cron, timeZone: 'UTC' }, nowMillis, LOOK_AHEAD);
    return runs.slice(1).reduce((shortest, run, index) => {
      return Math.min(shortest, run - (runs[index] as number));
    }, Number.POSITIVE_INFINITY);
  } catch (thrown) {
    throw badCron(cron, thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function badCron(cron: string, why: string): Failure {
  return new Failure('usage', {
    what: `"${cron}" is not a cron pattern that memprof understands`,
    why,
    fix: 'Write it like cron:"0 9 * * 1", or in words: every monday 9:00',
  });
}
