import { spawnSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/file-io.ts';
import { fixturePath } from '../support/fixture-path.ts';

const RUN = fileURLToPath(import.meta.resolve('#dist/test/conformance/run.js'));

function conformance(folder: string) {
  const { stdout, status } = spawnSync(process.execPath, [RUN, folder], { encoding: 'utf8' });
  return { lines: stdout.trimEnd().split('\n'), status };
}

test('a line a file: what it is, or what it looks like', () => {
  const { lines, status } = conformance(fixturePath('jeprof'));
  expect(lines).toContain('ok   after.symbolized: symbolized, 12.56 MiB, 11 stacks');
  expect(lines).toContain('ok   after.bytes.txt: It looks like the text output of jeprof or pprof');
  expect([lines.at(-1), status]).toEqual(['15 passed, 0 failed', 0]);
});

test('what is wrong fails: a kind, a figure of jeprof, a figure of the list', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'page.heap'), '<!DOCTYPE html><html>');
  copyFileSync(fixturePath('jeprof/after.symbolized'), join(folder, 'after.symbolized'));
  writeFileSync(join(folder, 'after.text.txt'), 'Total: 99.5 MB\n');
  writeFileSync(
    join(folder, 'expected_numbers.json'),
    JSON.stringify({ 'after.symbolized': { interval: 8192, stacks: 12 } }),
  );
  const { lines, status } = conformance(folder);
  expect(lines).toEqual([
    expect.stringMatching(
      /^FAIL after\.symbolized: .*; after\.text\.txt has \d+.*; stacks has 12, memprof 11$/,
    ),
    expect.stringMatching(/^ok {3}after\.text\.txt: /),
    expect.stringMatching(/^ok {3}expected_numbers\.json: /),
    'FAIL page.heap: It looks like a web page (HTML); expected was: heap_v2',
    '2 passed, 2 failed',
  ]);
  expect(status).toBe(1);
});
