import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Profile } from '../../src/profile/profile.ts';
import { subtractBase } from '../../src/profile/subtract-base.ts';
import { readProfile } from '../../src/readers/read-profile.ts';
import { type JeprofText, parseJeprofText } from '../support/jeprof-text.ts';

/** What is wrong with the figures of a profile, a sentence each. */
export type Complaints = readonly string[];

/** Holds a profile against all figures that lie beside its file: those of jeprof, and `expected_numbers.json`. */
export function checkFigures(path: string, profile: Profile): Complaints {
  const stem = path.replace(/\.(?:heap|symbolized)$/, '');
  if (stem === path) return [];
  return [
    ...checkTable(profile.totalBytes, `${stem}.text.txt`),
    ...checkTable(profile.totalCount, `${stem}.text-objects.txt`),
    ...checkCollapsed(profile, `${stem}.collapsed.txt`),
    ...checkBase(stem, path, profile),
    ...checkNumbers(path, profile),
  ];
}

function checkTable(ours: number, file: string): Complaints {
  const table = tableIn(file);
  return table === undefined ? [] : near(basename(file), ours, table.total, table.tolerance);
}

/** jeprof cuts each stack to a whole number, in a line of its own even where names are equal. */
function checkCollapsed(profile: Profile, file: string): Complaints {
  const path = [file, `${file}.gz`].find((one) => existsSync(one));
  if (path === undefined) return [];
  const bytes = readFileSync(path);
  const lines = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().split('\n').length;
  const { totalBytes } = readProfile(bytes);
  return near(basename(path), profile.totalBytes, totalBytes, lines);
}

/** `X-after` with `X-before` as its base has to be `X.base`. */
function checkBase(stem: string, path: string, profile: Profile): Complaints {
  if (!stem.endsWith('-after')) return [];
  const [before, table] = [
    path.replace('-after', '-before'),
    tableIn(`${stem.replace(/-after$/, '')}.base.text.txt`),
  ];
  if (!existsSync(before) || table === undefined) return [];
  const base = readProfile(readFileSync(before));
  const { totalBytes } = subtractBase(profile, base);
  return near('--base', totalBytes, table.total, table.tolerance);
}

interface Numbers {
  readonly interval?: number;
  readonly stacks?: number;
  readonly sum_of_stack_scaled_bytes?: number;
  readonly sum_of_stack_scaled_objects?: number;
  readonly sum_of_stack_raw_bytes?: number;
  readonly jeprof_5_3_0_text_total_bytes?: number;
}

function checkNumbers(path: string, profile: Profile): Complaints {
  const file = join(dirname(path), 'expected_numbers.json');
  if (!existsSync(file)) return [];
  const all: Readonly<Record<string, Numbers>> = JSON.parse(readFileSync(file, 'utf8'));
  const expected = all[basename(path)];
  if (expected === undefined) return [];
  const sampled = readProfile(readFileSync(path), { numbers: 'sampled' });
  const pairs: readonly (readonly [keyof Numbers, number | undefined, number])[] = [
    ['interval', profile.samplingIntervalBytes, 0],
    ['stacks', profile.stackCount, 0],
    ['sum_of_stack_scaled_bytes', profile.totalBytes, 0.1],
    ['sum_of_stack_scaled_objects', profile.totalCount, 0.1],
    ['sum_of_stack_raw_bytes', sampled.totalBytes, 0],
    ['jeprof_5_3_0_text_total_bytes', profile.totalBytes, 1],
  ];
  return pairs.flatMap(([name, ours = Number.NaN, tolerance]) => {
    const theirs = expected[name];
    return theirs === undefined ? [] : near(name, ours, theirs, tolerance);
  });
}

function tableIn(file: string): JeprofText | undefined {
  return existsSync(file) ? parseJeprofText(readFileSync(file, 'utf8')) : undefined;
}

function near(name: string, ours: number, theirs: number, tolerance: number): Complaints {
  return Math.abs(ours - theirs) <= tolerance ? [] : [`${name} has ${theirs}, memprof ${ours}`];
}
