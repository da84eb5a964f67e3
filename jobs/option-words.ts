import { Failure } from '../src/failure.ts';
import type { Bytes, Milliseconds, Share } from '../src/units.ts';

const SPANS: Readonly<Record<string, Milliseconds>> = {
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const LONGEST_SPAN_MS: Milliseconds = 366 * 86_400_000;

/** A span of time as people type it: "60s", "5m", "2h", "1d", "90". Bare numbers are seconds. */
export function readSpan(option: string, typed: string): Milliseconds {
  const match = /^(\d+(?:\.\d+)?)\s*(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?)?$/i.exec(
    typed,
  );
  const unit = (match?.[2] ?? 's').toLowerCase();
  const unitMs = SPANS[unit.startsWith('min') ? 'min' : unit.charAt(0)];
  if (match === null || unitMs === undefined) {
    throw badValue(option, typed, 'a span of time', `${option}:60s, ${option}:5m or ${option}:2h`);
  }
  const spanMs = Number(match[1]) * unitMs;
  if (spanMs > LONGEST_SPAN_MS) {
    throw new Failure('usage', {
      what: `${option}:${typed} is longer than a year`,
      why: 'No server keeps anything for that long that memprof could look at',
      fix: `Take ${option}:1d or less`,
    });
  }
  return spanMs;
}

const SIZES: Readonly<Record<string, Bytes>> = {
  '': 1,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  t: 2 ** 40,
};

/** An amount of memory as people type it: "1MiB", "512K", "2 GB". All units are binary. */
export function readSize(option: string, typed: string): Bytes {
  const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(typed.trim());
  const unitBytes = SIZES[(match?.[2] ?? '').toLowerCase()];
  if (match === null || unitBytes === undefined) {
    throw badValue(option, typed, 'an amount of memory', `${option}:1MiB or ${option}:512K`);
  }
  return Math.round(Number(match[1]) * unitBytes);
}

/** A percentage as people type it: "10%", "10". */
export function readPercentage(option: string, typed: string): Share {
  const match = /^(\d+(?:\.\d+)?)\s*%?$/.exec(typed.trim());
  if (match === null) throw badValue(option, typed, 'a percentage', `${option}:10%`);
  return Number(match[1]) / 100;
}

/** A whole number that is not negative. */
export function readIndex(option: string, typed: string): number {
  if (!/^\d{1,9}$/.test(typed)) throw badValue(option, typed, 'a number', `${option}:3`);
  return Number(typed);
}

function badValue(option: string, typed: string, what: string, examples: string): Failure {
  return new Failure('usage', {
    what: `${option}:${typed} is not ${what}`,
    fix: `Write it like ${examples}`,
  });
}
