import { describe, expect, it } from 'vitest';
import { readWhen } from '../../src/digest/when.ts';

describe('readWhen', () => {
  it.each([
    ['every monday 9:00', '0 9 * * 1'],
    ['Every Monday at 9', '0 9 * * 1'],
    ['monday', '0 9 * * 1'],
    ['every mon and thu 17.30', '30 17 * * 1,4'],
    ['mondays, wednesdays, fridays at 8am', '0 8 * * 1,3,5'],
    ['every sunday midnight', '0 0 * * 0'],
    ['every day 6:05', '5 6 * * *'],
    ['daily at noon', '0 12 * * *'],
    ['daily', '0 9 * * *'],
    ['every weekday 8:30', '30 8 * * 1-5'],
    ['weekly 10pm', '0 22 * * 1'],
    ['monthly 9:00', '0 9 1 * *'],
    ['every month on the 15th at 9:00', '0 9 15 * *'],
    ['every 1st of the month 12am', '0 0 1 * *'],
    ['every hour', '0 * * * *'],
    ['every 6 hours', '0 */6 * * *'],
  ])('reads %s as %s', (typed, cron) => {
    expect(readWhen(typed)).toBe(cron);
  });

  it.each([
    ['every blue moon 9:00', /"blue" is not a day/],
    ['every monday 25:00', /25:00 is not a time of day/],
    ['every monday 9:75', /9:75 is not a time of day/],
    ['every monday 13pm', /13pm is not a time of day/],
    ['every 31st 9:00', /Not every month has that day/],
    ['every 5 hours', /every 1, 2, 3, 4, 6, 8 or 12 hours/],
    ['every second', /"second" is not a day/],
    ['every m 9:00', /"m" is not a day/],
  ])('refuses %s and says how it is written', (typed, why) => {
    expect(() => readWhen(typed)).toThrow(why);
    expect(() => readWhen(typed)).toThrow(/Write it like every monday 9:00/);
  });
});
