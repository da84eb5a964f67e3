import type { Profile } from '../../src/profile/profile.ts';
import type { ReadOptions } from '../../src/readers/read-options.ts';

const VALUE = /^.*[ \t]([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/is;
const TOTALS = /^ *t\*: \d{1,20}: (\d{1,20}) \[\d{1,20}: (\d{1,20})\]/;
const STACK = /^ *@ *(?:0x[0-9a-fA-F]{1,16}(?: +|$))*$/;
const BEYOND_ALL_MEASURE = 1e100;

export interface Expected {
  readonly sum: number;
  /** Sums in another order may differ by a small part of this. */
  readonly magnitude: number;
}

/**
 * What a text holds, worked out a second time with strings and regular expressions, as slow and as plain as can be.
 * Undefined for what is not read line by line, or not as UTF-8.
 */
export function expectedSum(
  input: Buffer,
  profile: Profile,
  options: ReadOptions,
): Expected | undefined {
  const text = input.toString('latin1');
  if (text.startsWith('\x1f\x8b') || /^(?:\xff\xfe|\xfe\xff|.\0.\0|\0.\0.)/s.test(text))
    return undefined;
  const lines = text
    .replace(/^\xef\xbb\xbf/, '')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
  if (profile.kind === 'collapsed') return summed(lines.map(valueAtEnd));
  // Un-sampling is held against jeprof elsewhere; here no record may be lost.
  if (profile.kind === 'pprof' || options.numbers !== 'sampled') return undefined;
  return summed(amountsOf(lines, options.values === 'accumulated' ? 2 : 1));
}

function summed(values: readonly number[]): Expected {
  return {
    sum: values.reduce((all, value) => all + value, 0),
    magnitude: values.reduce((all, value) => all + Math.abs(value), 0),
  };
}

/** Bytes of each stack of a dump: live in the first group of its line, accumulated in the second. */
function amountsOf(lines: readonly string[], group: 1 | 2): readonly number[] {
  const amounts: number[] = [];
  const header = lines.findIndex((line) => /^heap_v2\/\d{1,20}$/.test(line.trim()));
  let isOpen = false;
  for (const line of lines.slice(header + 1)) {
    if (
      /^ *MAPPED_LIBRARIES:$/.test(line) ||
      /^ *(?:heap_v2\/\d{1,20}|--- (?:symbol|heap))\s*$/.test(line)
    )
      break;
    if (/^ *@/.test(line)) isOpen = STACK.test(line);
    const amount = isOpen ? TOTALS.exec(line)?.[group] : undefined;
    if (amount === undefined) continue;
    amounts.push(Number(amount));
    isOpen = false;
  }
  return amounts;
}

function valueAtEnd(line: string): number {
  const text = line.replace(/[ \t]+$/, '');
  if (text === '' || /^#(?:[ \t]|$)/.test(text)) return 0;
  const value = Number(VALUE.exec(text)?.[1] ?? 0);
  return Math.abs(value) < BEYOND_ALL_MEASURE ? value : 0;
}
