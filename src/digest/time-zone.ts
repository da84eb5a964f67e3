import { closest } from 'fastest-levenshtein';
import { Failure } from '../failure.ts';

/** The IANA name of a time zone as typed in any case; throws `usage` with the nearest that exists. */
export function readTimeZone(typed: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: typed }).resolvedOptions().timeZone;
  } catch {
    throw new Failure('usage', {
      what: `There is no time zone ${typed}`,
      why: 'time zones are written as in the IANA database, Europe/Berlin say, or UTC',
      fix: `Did you mean tz:${closest(typed, Intl.supportedValuesOf('timeZone'))}?`,
    });
  }
}
