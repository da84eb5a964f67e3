import { closest, distance } from 'fastest-levenshtein';
import { Failure } from '../failure.ts';

/**
 * Letters that stand for several zones, or for one without its summer time (EST is New York's winter all year), with
 * the place that is usually meant.
 */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  bst: 'Europe/London',
  cdt: 'America/Chicago',
  cest: 'Europe/Berlin',
  cet: 'Europe/Berlin',
  cst: 'America/Chicago',
  edt: 'America/New_York',
  eest: 'Europe/Athens',
  eet: 'Europe/Athens',
  est: 'America/New_York',
  ist: 'Asia/Kolkata',
  jst: 'Asia/Tokyo',
  kst: 'Asia/Seoul',
  mdt: 'America/Denver',
  met: 'Europe/Berlin',
  msk: 'Europe/Moscow',
  mst: 'America/Denver',
  pdt: 'America/Los_Angeles',
  pst: 'America/Los_Angeles',
  sgt: 'Asia/Singapore',
  west: 'Europe/Lisbon',
  wet: 'Europe/Lisbon',
};

/** The IANA name of a time zone as typed in any case; throws `usage` with the nearest that exists. */
export function readTimeZone(typed: string): string {
  const place = abbreviated(typed);
  if (place !== undefined) {
    throw new Failure('usage', {
      what: `${typed} does not say which place's time it is`,
      why: 'such letters stand for several zones, and some of these for winter time all year',
      fix: `Did you mean tz:${place}?`,
    });
  }
  try {
    return new Intl.DateTimeFormat('en', { timeZone: typed }).resolvedOptions().timeZone;
  } catch {
    throw new Failure('usage', {
      what: `There is no time zone ${typed}`,
      why: 'time zones are written as in the IANA database, Europe/Berlin say, or UTC',
      fix: suggestion(typed),
    });
  }
}

function abbreviated(typed: string): string | undefined {
  const name = typed.toLowerCase();
  return Object.hasOwn(ABBREVIATIONS, name) ? ABBREVIATIONS[name] : undefined;
}

function suggestion(typed: string): string {
  const zone = nearestZone(typed);
  return zone === undefined
    ? 'Write it like tz:Europe/Berlin, or leave it out for UTC'
    : `Did you mean tz:${zone}?`;
}

/** Undefined when nothing is near enough to be what was meant. */
function nearestZone(typed: string): string | undefined {
  const wanted = plain(typed);
  const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
  // "Berlin": the place alone, else the whole name.
  const nameOf = wanted.includes('/')
    ? plain
    : (zone: string) => plain(zone.slice(zone.lastIndexOf('/') + 1));
  const byName = new Map(zones.map((zone) => [nameOf(zone), zone]));
  const nearest = closest(wanted, [...byName.keys()]);
  const isNear = distance(wanted, nearest) <= Math.max(1, Math.floor(wanted.length / 4));
  return isNear ? byName.get(nearest) : undefined;
}

/** Case and signs are the first to go wrong. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[\s-]+/g, '_');
}
