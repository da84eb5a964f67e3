import { Failure } from '../failure.ts';

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** When a digest runs unless people say otherwise. */
export const DEFAULT_WHEN = 'every monday 9:00';

/**
 * Times in words as a cron pattern: "every monday 9:00", "every weekday at 8", "daily 17:30", "every monday and
 * thursday 9am", "monthly", "every 6 hours". Throws `usage` for what it does not understand.
 */
export function readWhen(typed: string): string {
  const text = typed
    .toLowerCase()
    .replace(/[,\s]+/g, ' ')
    .trim();
  const hours = /^(?:hourly|every hour|every (\d{1,2}) hours)$/.exec(text);
  if (hours !== null) return everyHours(Number(hours[1] ?? 1), typed);
  const { days, time } = splitTime(text);
  const [hour, minute] = readTime(time, typed);
  return `${minute} ${hour} ${readDays(days, typed)}`;
}

function everyHours(hours: number, typed: string): string {
  if (hours < 1 || hours > 23 || 24 % hours !== 0) {
    throw unknownWhen(typed, 'a day has 24 hours, so every 1, 2, 3, 4, 6, 8 or 12 hours go');
  }
  return hours === 1 ? '0 * * * *' : `0 */${hours} * * *`;
}

/** "every monday at 9:00" into its days and its time. */
function splitTime(text: string): { readonly days: string; readonly time: string } {
  const match = /^(.*?)(?:\s+at)?\s+(noon|midnight|\d[\d:.]*\s?(?:am|pm)?)$/.exec(` ${text}`);
  return match === null
    ? { days: text, time: '9:00' }
    : { days: (match[1] ?? '').trim(), time: match[2] ?? '' };
}

function readTime(time: string, typed: string): readonly [hour: number, minute: number] {
  if (time === 'noon') return [12, 0];
  if (time === 'midnight') return [0, 0];
  const match = /^(\d{1,2})(?:[:.](\d{2}))?\s?(am|pm)?$/.exec(time);
  const half = match?.[3];
  const minute = Number(match?.[2] ?? 0);
  let hour = Number(match?.[1] ?? Number.NaN);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) throw unknownWhen(typed, `${time} is not a time of day`);
    hour = (hour % 12) + (half === 'pm' ? 12 : 0);
  }
  if (!(hour < 24 && minute < 60)) throw unknownWhen(typed, `${time} is not a time of day`);
  return [hour, minute];
}

/** The last three fields of the pattern: day of month, month, day of week. */
function readDays(days: string, typed: string): string {
  const words = days.replace(/\b(?:every|each|on|the|and|of)\b/g, ' ').split(/\s+/);
  const named = words.filter((word) => word !== '');
  const [first = 'day'] = named;
  if (named.length <= 1) {
    if (/^(?:day|days|daily)$/.test(first)) return '* * *';
    if (/^(?:weekday|weekdays)$/.test(first)) return '* * 1-5';
    if (/^(?:week|weekly)$/.test(first)) return '* * 1';
  }
  const inMonth = /^(?:monthly|month)?\s*(?:(\d{1,2})(?:st|nd|rd|th)?)?\s*(?:month|monthly)?$/.exec(
    named.join(' '),
  );
  if (inMonth !== null && /month|\d/.test(named.join(' '))) {
    const day = Number(inMonth[1] ?? 1);
    if (day < 1 || day > 28) {
      throw unknownWhen(typed, 'not every month has that day; take one from 1 to 28');
    }
    return `${day} * *`;
  }
  const numbers = named.map((word) => dayNumber(word, typed));
  return `* * ${[...new Set(numbers)].sort((a, b) => a - b).join(',')}`;
}

function dayNumber(word: string, typed: string): number {
  const single = word.replace(/(?<=day)s$/, '');
  const day = DAYS.findIndex((name) => single.length >= 3 && name.startsWith(single));
  if (day < 0) throw unknownWhen(typed, `"${word}" is not a day`);
  return day;
}

function unknownWhen(typed: string, why: string): Failure {
  return new Failure('usage', {
    what: `"${typed}" does not say when the digest runs`,
    why,
    fix: 'Write it like every monday 9:00, every weekday 8:30, monthly 9:00, or cron:"0 9 * * 1"',
  });
}
