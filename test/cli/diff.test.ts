import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type DiffFlags, diff } from '../../src/cli/diff.ts';
import { createShell, temporaryFolder } from '../support/file-io.ts';
import { fixturePath } from '../support/fixture-path.ts';
import { jeprofFixture, parseJeprofText } from '../support/jeprof-text.ts';

const BEFORE = fixturePath('jeprof/before.symbolized');
const AFTER = fixturePath('jeprof/after.symbolized');

async function printed(before: string, after: string, flags: DiffFlags = {}): Promise<string> {
  const shell = createShell();
  await diff([before, after], flags, shell);
  return shell.printed.join('');
}

async function json(before: string, after: string, flags: DiffFlags = {}) {
  return JSON.parse(await printed(before, after, { ...flags, json: true }));
}

/** A file with these collapsed stacks. */
function stacksFile(text: string): string {
  const path = join(temporaryFolder(), 'stacks.collapsed');
  writeFileSync(path, text);
  return path;
}

test('both profiles, both totals, and which way it went', async () => {
  const text = await printed(BEFORE, AFTER);
  expect(text).toMatch(/^before {2}before\.symbolized: heap dump with symbols · 8\.78 MiB/);
  expect(text).toMatch(/^after {3}after\.symbolized: heap dump with symbols · 12\.56 MiB/m);
  expect(text).toContain('8.78 MiB → 12.56 MiB: grew by 3.78 MiB (+43%)');
  expect(await printed(AFTER, BEFORE)).toContain('shrank by 3.78 MiB (-30%)');
  expect(await printed(AFTER, AFTER)).toContain('the same in all');
});

test('what grew, shrank, came and went, the largest change first', async () => {
  const rows = (await printed(BEFORE, AFTER)).split('\n').map((line) => line.split(/ {2,}/));
  expect(
    rows.filter((row) => / MiB$/.test(row[0] ?? '')).map((row) => row.filter(Boolean)),
  ).toEqual([
    ['+5.58 MiB', '1.95 MiB → 7.53 MiB', 'grown', 'new_line'],
    ['-5.00 MiB', '5.00 MiB → 0 B', 'gone, weak', 'fill_cache'],
    ['+3.20 MiB', '0 B → 3.20 MiB', 'new', 'write_report'],
  ]);
});

test('the JSON has changes where top has amounts, and they are those of jeprof --base', async () => {
  const { rows, ...document } = await json(BEFORE, AFTER);
  const { total, rows: theirs } = parseJeprofText(jeprofFixture('base.bytes.txt').toString());
  expect(Math.trunc(document.totalBytes)).toBe(total);
  expect(document).toMatchObject({
    kind: 'symbolized',
    measure: 'bytes',
    skippedLines: 0,
    before: { name: 'before.symbolized', stackCount: 11 },
    after: { name: 'after.symbolized', stackCount: 11 },
  });
  const flat = new Map(theirs.map((row) => [row.name.replace(' (inline)', ''), row.flat]));
  expect(rows.map(({ name, kind }: { name: string; kind: string }) => [name, kind])).toEqual([
    ['new_line', 'grown'],
    ['fill_cache', 'gone'],
    ['write_report', 'new'],
  ]);
  for (const row of rows) {
    expect(Math.trunc(row.selfBytes)).toBe(flat.get(row.name));
    expect(row.change).toBeCloseTo(row.after - row.before, 3);
    expect(row.selfBytes).toBeCloseTo(row.change, 3);
  }
});

test('turned round, every change has the other sign', async () => {
  const there = await json(BEFORE, AFTER);
  const back = await json(AFTER, BEFORE);
  const changes = ({ rows }: typeof there) =>
    new Map(rows.map(({ name, change }: { name: string; change: number }) => [name, change]));
  for (const [name, change] of changes(there))
    expect(changes(back).get(name)).toBe(-(change as number));
  expect(back.totalBytes).toBeCloseTo(-there.totalBytes, 3);
});

test('nothing differs from itself', async () => {
  const { rows, totalBytes, matchedShare } = await json(AFTER, AFTER);
  expect([rows, totalBytes, matchedShare]).toEqual([[], 0, 1]);
  expect(await printed(AFTER, AFTER)).toContain('No function holds more or less than before.');
});

test('names that hardly match are a warning', async () => {
  const [old, other] = [stacksFile('f_v1;g_v1 10\n'), stacksFile('f_v2;g_v2 10\n')];
  expect(await printed(old, other)).toContain(
    'Careful: only 0% lies in functions that both profiles know.',
  );
});

test('--count compares objects', async () => {
  expect(await printed(BEFORE, AFTER, { count: true })).toContain(
    '21,312 objects → 83,391 objects: grew by 62,079 objects (+291%)',
  );
});

test('with -o the difference is a picture with both sides in it, or stacks with signed amounts', async () => {
  const folder = temporaryFolder();
  await printed(BEFORE, AFTER, { out: join(folder, 'diff.svg'), light: true });
  const svg = readFileSync(join(folder, 'diff.svg'), 'utf8');
  expect(svg).toMatch(/>before\.symbolized . after\.symbolized</);
  expect(svg).toContain('grew by 3.78 MiB');
  await printed(BEFORE, AFTER, { out: join(folder, 'diff.collapsed') });
  expect(readFileSync(join(folder, 'diff.collapsed'), 'utf8')).toMatch(
    /fill_cache;malloc.* -5242880\n/,
  );
});

test('bytes are not compared with objects', async () => {
  const counted = join(temporaryFolder(), 'objects.pb.gz');
  const { pprofFile } = await import('../../src/writers/pprof.ts');
  const { profileOf } = await import('../support/profile-of.ts');
  const { tree, ...rest } = profileOf({ a: 3 }, { unit: 'count' });
  const { selfCount, ...objects } = tree;
  writeFileSync(counted, pprofFile({ ...rest, tree: objects }));
  await expect(printed(stacksFile('a 3\n'), counted)).rejects.toThrow(
    'One of the two counts bytes, the other objects only',
  );
});
