import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fixturePath } from '../support/fixture-path.ts';

const CLI = fileURLToPath(import.meta.resolve('#dist/bin/cli.js'));
const AFTER = fixturePath('jeprof/after.symbolized');

/** A run of the shell as people start it. */
async function memprof(words: readonly string[], standardInput = '') {
  const child = spawn(process.execPath, [CLI, ...words]);
  child.stdin.end(standardInput);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, code };
}

test('exit code 0: found', async () => {
  const { stdout, stderr, code } = await memprof(['top', '-', '--json'], 'main;insert 30\n');
  expect([code, stderr, JSON.parse(stdout).totalBytes]).toEqual([0, '', 30]);
});

test('exit code 1: what is no profile is refused in a sentence', async () => {
  const { stdout, stderr, code } = await memprof(['top', '-'], '{"head":{"callFrame":{}}}');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^standard input: This does not look like a profile\. It looks like a sampling heap profile of V8.* \[E301\]\n$/,
  );
});

test.each([
  ['a missing file', ['top', '/missing/file'], 'Could not read /missing/file'],
  ['no file at all', ['top'], "missing required argument 'file'"],
  ['a render without an output', ['render', AFTER], "required option '-o, --out <file>'"],
  ['an unknown option', ['diff', AFTER, AFTER, '--colour'], "unknown option '--colour'"],
  ['a single side', ['diff', AFTER], "missing required argument 'after'"],
])('exit code 2: %s', async (_, words, sentence) => {
  const { stderr, code } = await memprof(words);
  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain('    at ');
});

test('help names every option with an example', async () => {
  const { stdout, code } = await memprof(['render', '--help']);
  expect(code).toBe(0);
  for (const option of ['--base', '--count', '--flame', '--light', '--out', '--raw', '--width']) {
    expect(stdout).toContain(option);
  }
  expect(stdout).toContain('memprof render server.heap -o heap.png');
});

test('whoever reads only the beginning gets it without an error', async () => {
  const child = spawn(process.execPath, [CLI, 'top', AFTER, '--json', '--raw']);
  const errors = text(child.stderr);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  await once(child, 'exit');
  expect(await errors).toBe('');
});
