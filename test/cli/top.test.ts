import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type TopFlags, top } from '../../src/cli/top.ts';
import { createShell, temporaryFolder } from '../support/file-io.ts';
import { fixturePath } from '../support/fixture-path.ts';
import { jeprofFixture, parseJeprofText } from '../support/jeprof-text.ts';

const AFTER = fixturePath('jeprof/after.symbolized');
const STACKS = 'main;insert 30\nmain;select;sort 50\nmain;select 5\n';

async function printed(path: string, flags: TopFlags, standardInput = ''): Promise<string> {
  const shell = createShell(standardInput);
  await top(path, flags, shell);
  return shell.printed.join('');
}

async function json(path: string, flags: TopFlags, standardInput = '') {
  return JSON.parse(await printed(path, { ...flags, json: true }, standardInput));
}

test('the JSON has the totals, what they rest on, and each function', async () => {
  expect(await json('-', {}, STACKS)).toMatchObject({
    kind: 'collapsed',
    totalBytes: 85,
    totalCount: 0,
    stackCount: 3,
    sampleCount: null,
    skippedLines: 0,
    measure: 'bytes',
    rows: [
      { name: 'sort', selfBytes: 50, totalBytes: 50, selfCount: 0 },
      { name: 'insert', selfBytes: 30, totalBytes: 30, selfCount: 0 },
      { name: 'select', selfBytes: 5, totalBytes: 55, selfCount: 0 },
    ],
  });
});

test('the figures of a dump are those of jeprof', async () => {
  const { totalBytes, sampleCount, rows } = await json(AFTER, {});
  const { total } = parseJeprofText(jeprofFixture('after.bytes.txt').toString());
  expect(Math.trunc(totalBytes)).toBe(total);
  expect(sampleCount).toBeGreaterThan(1000);
  const names = rows.map((row: { name: string }) => row.name);
  expect(names.slice(0, 3)).toEqual(['new_line', 'write_report', 'build_index']);
});

test('the text begins with what the profile is and how far it can be trusted', async () => {
  const [first, ...rest] = (await printed(AFTER, {})).split('\n');
  expect(first).toBe(
    'heap dump with symbols · 12.56 MiB · 83,391 objects · 11 stacks · 1,310 samples ±3% · 1 sample ≈ 8.00 KiB',
  );
  const row = rest.find((line) => line.endsWith('new_line'));
  expect(row?.trim().split(/ {2,}/)).toEqual([
    '7.53 MiB',
    '60%',
    '7.53 MiB',
    '60%',
    '958',
    'new_line',
  ]);
});

test('figures on few samples are marked weak', async () => {
  const text = await printed(AFTER, {});
  expect(text).toMatch(/8 weak {2}build_index/);
  expect(text).not.toMatch(/weak {2}new_line/);
});

test('the unexplained share is always shown', async () => {
  expect(await printed(AFTER, {})).toMatch(/100% {2}unexplained/);
  expect(await printed('-', {}, 'DB::Aggregator::execute() 5\n')).toMatch(/0 B +0% {2}unexplained/);
});

test('--cum sorts by what passes through', async () => {
  const { rows } = await json('-', { cum: true }, STACKS);
  expect(rows.map(({ name }: { name: string }) => name)).toEqual(['select', 'sort', 'insert']);
});

test('--raw shows what is left out otherwise, and the text says how much that is', async () => {
  expect(await printed(AFTER, {})).toContain(
    'allocator and thread functions left out: --raw shows them',
  );
  const raw = await printed(AFTER, { raw: true, cum: true });
  expect(raw).toContain('malloc');
  expect(raw).not.toContain('left out');
});

test('--count sorts by objects, also where collapsed stacks count them', async () => {
  const text = await printed(AFTER, { count: true });
  expect(text).toMatch(/82,270 objects.*new_line/);
  expect(await json('-', { count: true }, STACKS)).toMatchObject({
    measure: 'count',
    totalBytes: 0,
    totalCount: 85,
  });
});

test('--sampled and --accumulated read other numbers of the dump', async () => {
  const sampled = await json(AFTER, { sampled: true });
  const accumulated = await json(AFTER, { accumulated: true });
  expect([sampled.unsampled, accumulated.unsampled]).toEqual([false, true]);
  expect(Math.trunc(accumulated.totalBytes)).toBe(22_563_508);
});

test('--focus and --ignore choose stacks, --limit rows', async () => {
  const { rows } = await json('-', { focus: 'select', ignore: 'sort' }, STACKS);
  expect(rows).toMatchObject([{ name: 'select', selfBytes: 5, totalBytes: 5 }]);
  expect((await json('-', { limit: '1' }, STACKS)).rows).toHaveLength(1);
  await expect(printed('-', { limit: 'all' }, STACKS)).rejects.toThrow(
    '--limit all is no number of rows',
  );
  await expect(printed('-', { focus: 'operator(' }, STACKS)).rejects.toThrow(
    '--focus is no regular expression',
  );
});

test('--pivot shows callers and callees of a function', async () => {
  expect(await json('-', { pivot: '^select$', raw: true }, STACKS)).toMatchObject({
    callers: [{ name: 'main', bytes: 55 }],
    callees: [
      { name: 'sort', bytes: 50 },
      { name: '', bytes: 5 },
    ],
  });
  expect(await printed('-', { pivot: '^select$', raw: true }, STACKS)).toMatch(
    /callers\n.*main\n.*callees\n.*sort\n.*\(ends in itself\)/,
  );
});

test('what was left out of the input is shown', async () => {
  const text = await printed('-', {}, `${STACKS}broken line\n`);
  expect(text).toContain(
    '1 line of the input left out:\n  line 4: no number after the stack: broken line',
  );
});

test('names cannot move the cursor', async () => {
  const text = await printed('-', { raw: true }, 'main;\x1b[2Jclear 5\nmain;\u202eleft 4\n');
  expect(text).toContain('�[2Jclear');
  for (const control of ['\u001b', '\u202e']) expect(text).not.toContain(control);
});

test('objects that nobody counted are not made up', async () => {
  const path = join(temporaryFolder(), 'bytes.pb.gz');
  const { pprofFile } = await import('../../src/writers/pprof.ts');
  const { readProfile } = await import('../../src/readers/read-profile.ts');
  writeFileSync(path, pprofFile(readProfile(Buffer.from(STACKS))));
  await expect(printed(path, { count: true })).rejects.toThrow(
    'bytes.pb.gz does not tell how many objects there are',
  );
});

test('a large file in UTF-16, as PowerShell redirects into, is read like any other', async () => {
  const path = join(temporaryFolder(), 'stacks.txt');
  writeFileSync(path, Buffer.from(`\ufeff${STACKS.repeat(2000)}`, 'utf16le'));
  expect(await json(path, {})).toMatchObject({ totalBytes: 170_000, stackCount: 3 });
});

test('a name of 100 kB does not fill the screen, and JSON has all of it', async () => {
  const name = `first_${'x'.repeat(100_000)}_last`;
  const table = await printed('-', {}, `main;${name} 5\n`);
  expect(Math.max(...table.split('\n').map((line) => line.length))).toBeLessThan(500);
  expect(table).toMatch(/first_x+…x+_last/);
  expect((await json('-', {}, `main;${name} 5\n`)).rows[0].name).toBe(name);
});
