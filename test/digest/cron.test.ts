import { describe, expect, it } from 'vitest';
import { nextRuns, readBack, readCron } from '../../src/digest/cron.ts';
import { readTimeZone } from '../../src/digest/time-zone.ts';

const NOW = Date.parse('2026-12-01T12:00:00Z');

const utc = (cron: string, timeZone: string, from: string, count: number) =>
  nextRuns({ cron, timeZone }, Date.parse(from), count).map((at) =>
    new Date(at).toISOString().slice(0, 16),
  );

describe('readCron', () => {
  it('takes five fields and tidies their blanks', () => {
    expect(readCron(' 0  9 * *  1 ', NOW)).toBe('0 9 * * 1');
    expect(readCron('0 9 1,15 * thu', NOW)).toBe('0 9 1,15 * thu');
    expect(readCron('0 * * * *', NOW)).toBe('0 * * * *');
  });

  it.each([
    ['banana', /It has 1 of five fields/],
    ['', /It has 0 of five fields/],
    ['61 9 * * 1', /got value 61 expected range 0-59/],
    ['0 9 31 2 *', /Invalid explicit day of month/],
    ['H 9 * * 1', /H stands for a random moment/],
    ['@weekly', /It has 1 of five fields/],
  ])('refuses the nonsense %s', (cron, why) => {
    expect(() => readCron(cron, NOW)).toThrow(why);
  });

  it('refuses every second and every minute', () => {
    expect(() => readCron('* * * * * *', NOW)).toThrow(/six fields, and seconds are finer/);
    expect(() => readCron('* * * * *', NOW)).toThrow(
      /A digest cannot run that often: "\* \* \* \* \*" is every minute\..*once an hour is the most/,
    );
    expect(() => readCron('0,20 9 * * 1', NOW)).toThrow(/cannot run that often/);
  });
});

describe('nextRuns', () => {
  it('keeps the hour of the wall clock when clocks go back and forth', () => {
    expect(utc('0 9 * * 1', 'Europe/Berlin', '2026-10-20T12:00:00Z', 2)).toEqual([
      '2026-10-26T08:00',
      '2026-11-02T08:00',
    ]);
    expect(utc('0 9 * * 1', 'Europe/Berlin', '2027-03-22T12:00:00Z', 2)).toEqual([
      '2027-03-29T07:00',
      '2027-04-05T07:00',
    ]);
  });

  it('runs once at a time that the clock skips, and once at a time that it repeats', () => {
    // 2027-03-28 has no 02:30 in Berlin: an hour later it is 03:30, 01:30 UTC.
    expect(utc('30 2 * * *', 'Europe/Berlin', '2027-03-27T12:00:00Z', 2)).toEqual([
      '2027-03-28T01:30',
      '2027-03-29T00:30',
    ]);
    // 2026-10-25 has two 02:30 in Berlin: the first one counts.
    expect(utc('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
  });
});

describe('readBack', () => {
  it('says a pattern in words', () => {
    expect(readBack('0 9 * * 1')).toBe('At 09:00, only on Monday');
    expect(readBack('30 6 * * 1-5')).toBe('At 06:30, Monday through Friday');
  });
});

describe('readTimeZone', () => {
  it('takes any spelling of a zone that exists', () => {
    expect(readTimeZone('europe/berlin')).toBe('Europe/Berlin');
    expect(readTimeZone('utc')).toBe('UTC');
  });

  it('refuses a zone that does not exist and names the nearest', () => {
    expect(() => readTimeZone('Europe/Berln')).toThrow(
      'There is no time zone Europe/Berln. Time zones are written as in the IANA database, Europe/Berlin say, or UTC. Did you mean tz:Europe/Berlin?',
    );
  });

  it.each([
    ['Berlin', 'Europe/Berlin'],
    ['berln', 'Europe/Berlin'],
    ['Europa/Berlin', 'Europe/Berlin'],
    ['New York', 'America/New_York'],
    ['CET', 'Europe/Berlin'],
    ['est', 'America/New_York'],
    ['IST', 'Asia/Kolkata'],
    ['UCT+0', undefined],
    ['somewhere', undefined],
    ['constructor', undefined],
  ])('says what %s may mean: %s', (typed, zone) => {
    expect(() => readTimeZone(typed)).toThrow(
      zone === undefined ? 'Write it like tz:Europe/Berlin' : `Did you mean tz:${zone}?`,
    );
  });

  it('says why letters are not enough', () => {
    expect(() => readTimeZone('CET')).toThrow(
      "CET does not say which place's time it is. Such letters stand for several zones",
    );
  });
});
