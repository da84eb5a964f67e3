import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type RenderFlags, render } from '../../src/cli/render.ts';
import { readProfile } from '../../src/readers/read-profile.ts';
import { createShell, type Shell, temporaryFolder } from '../support/file-io.ts';
import { fixturePath } from '../support/fixture-path.ts';
import { foldedOf } from '../support/profile-of.ts';

const AFTER = fixturePath('jeprof/after.symbolized');
const BEFORE = fixturePath('jeprof/before.symbolized');
const STACKS = 'main;insert 30\nmain;select;sort 50\n';
const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

interface Rendered {
  readonly file: Buffer;
  readonly shell: Shell;
}

async function rendered(
  name: string,
  path: string,
  flags: Omit<RenderFlags, 'out'> = {},
  standardInput = '',
): Promise<Rendered> {
  const out = join(temporaryFolder(), name);
  const shell = createShell(standardInput);
  await render(path, { ...flags, out }, shell);
  return { file: readFileSync(out), shell };
}

/** Width and height of a PNG, from its header. */
function sizeOf(png: Buffer): readonly [number, number] {
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

test('a PNG of the width that was asked for', async () => {
  const { file } = await rendered('heap.png', AFTER);
  expect(file.subarray(0, 8).equals(PNG_SIGNATURE)).toBe(true);
  expect(sizeOf(file)[0]).toBe(1600);
  expect(sizeOf((await rendered('heap.png', AFTER, { width: '2400' })).file)[0]).toBe(2400);
});

test('an SVG with the subject, the figures and what they rest on', async () => {
  const svg = (await rendered('heap.svg', AFTER)).file.toString();
  expect(svg).toMatch(/^<svg /);
  expect(svg).toContain('Heap profile · after.symbolized');
  expect(svg).toContain('12.56 MiB');
  expect(svg).toContain('1,310 samples');
  expect(svg).toContain('write_report');
});

test('light, root at the bottom, and every frame, as asked', async () => {
  const [usual, light, flame, raw] = await Promise.all(
    [{}, { light: true }, { flame: true }, { raw: true }].map(async (flags) =>
      (await rendered('heap.svg', AFTER, flags)).file.toString(),
    ),
  );
  expect(new Set([usual, light, flame, raw]).size).toBe(4);
  expect(usual).not.toContain('malloc_usable_size');
  expect(raw).toContain('malloc_usable_size');
});

test.each(['out.collapsed', 'out.pb.gz'])('%s holds every stack of the dump', async (name) => {
  const dump = readProfile(readFileSync(AFTER));
  const back = readProfile((await rendered(name, AFTER)).file);
  expect(Math.abs(back.totalBytes - dump.totalBytes)).toBeLessThan(dump.stackCount);
  expect(back.stackCount).toBe(dump.stackCount);
});

test('a speedscope file carries the title', async () => {
  const { file } = await rendered('out.speedscope.json', AFTER);
  expect(JSON.parse(file.toString())).toMatchObject({
    name: 'Heap profile · after.symbolized',
    profiles: [{ unit: 'bytes' }, { unit: 'none' }],
  });
});

test('standard input is a file like any other, and so is gzip', async () => {
  const { file } = await rendered('out.collapsed', '-', {}, STACKS);
  expect(file.toString()).toBe(STACKS);
  const { file: svg } = await rendered('out.svg', '-', {}, STACKS);
  expect(svg.toString()).toContain('Heap profile · standard input');
});

test('--count writes objects', async () => {
  const { file } = await rendered('out.collapsed', AFTER, { count: true });
  expect(file.toString()).toMatch(/;write_report;malloc.* 1112\n/);
});

test('--base takes a profile away: what shrank is negative in files, and said beside pictures', async () => {
  const { file } = await rendered('out.collapsed', AFTER, { base: BEFORE });
  const shrunk = foldedOf(readProfile(file)).filter((line) => line.includes(' -'));
  expect(shrunk).toEqual([expect.stringMatching(/;fill_cache;malloc.* -5242880$/)]);
  const svg = (await rendered('out.svg', AFTER, { base: BEFORE })).file.toString();
  expect(svg).toContain('after.symbolized without before.symbolized');
  expect(svg).toContain('what shrank is not drawn: 5.00 MiB in all');
  expect(svg).not.toContain('fill_cache');
});

test('what whoever looks at it must know is told', async () => {
  const { shell } = await rendered('out.png', '-', {}, `${STACKS}broken line\n`);
  expect(shell.told).toEqual([
    '1 line of the input left out:',
    '  line 3: no number after the stack: broken line',
    expect.stringMatching(/out\.png: collapsed stacks · 80 B · 2 stacks$/),
  ]);
});

test('a profile that holds nothing becomes a picture that says so', async () => {
  const svg = (await rendered('out.svg', '-', {}, 'main;insert 0\n')).file.toString();
  expect(svg).toContain('The profile has no stacks.');
});

test('faults are sentences, and come before the work', async () => {
  const shell = createShell();
  const attempt = (path: string, flags: RenderFlags) => render(path, flags, shell);
  await expect(attempt('missing', { out: 'x.pdf' })).rejects.toThrow(
    'The end of x.pdf does not tell what to write. Let it end in .png, .svg',
  );
  await expect(attempt('missing', { out: 'x.png', width: 'wide' })).rejects.toThrow(
    '--width wide is no number of pixels',
  );
  await expect(attempt('missing', { out: 'x.png' })).rejects.toThrow('Could not read missing');
  await expect(attempt(temporaryFolder(), { out: 'x.png' })).rejects.toThrow('Could not read');
  await expect(attempt('-', { out: 'x.png', base: '-' })).rejects.toThrow(
    'Standard input can be read once only',
  );
  await expect(
    attempt(AFTER, { out: join(temporaryFolder(), 'no', 'x.collapsed') }),
  ).rejects.toThrow('Could not write');
});

test('a refusal names the file that is meant', async () => {
  const page = join(temporaryFolder(), 'page.heap');
  writeFileSync(page, '<!DOCTYPE html><html>');
  await expect(render(AFTER, { out: 'x.png', base: page }, createShell())).rejects.toThrow(
    'page.heap: This does not look like a profile. It looks like a web page (HTML)',
  );
});

test('a call graph in place of the flame graph, in each of its kinds', async () => {
  const beginnings: Readonly<Record<string, string>> = {
    'graph.dot': 'digraph memprof {',
    'graph.svg': '<?xml',
    'graph.pdf': '%PDF-',
  };
  for (const [name, beginning] of Object.entries(beginnings)) {
    const { file } = await rendered(name, AFTER, { graph: true });
    expect(file.subarray(0, beginning.length).toString()).toBe(beginning);
  }
  const { file } = await rendered('graph.png', AFTER, { graph: true });
  expect(file.subarray(0, 8).equals(PNG_SIGNATURE)).toBe(true);
  await expect(rendered('graph.collapsed', AFTER, { graph: true })).rejects.toMatchObject({
    kind: 'usage',
    fix: 'Let it end in .dot, .svg, .png or .pdf',
  });
});
