import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readInput } from '../../src/cli/profile-input.ts';
import { writeProgram } from '../support/elf-file.ts';
import { createShell, temporaryFolder } from '../support/file-io.ts';
import { fixturePath } from '../support/fixture-path.ts';

const DUMP = `heap_v2/1
  t*: 0: 0 [0: 0]
@ 0x555555000100 0x555555000201
  t*: 1: 64 [0: 0]

MAPPED_LIBRARIES:
555555000000-555555002000 r-xp 00001000 08:01 42 /opt/orders
`;
const { standardInput } = createShell();

test.each([
  ['as it is', Buffer.from(DUMP)],
  ['gzipped', gzipSync(DUMP)],
  ['in UTF-16', Buffer.from(`\ufeff${DUMP}`, 'utf16le')],
])('a dump %s is held against the program', async (_, bytes) => {
  const folder = temporaryFolder();
  const path = join(folder, 'server.heap');
  writeFileSync(path, bytes);
  const binary = writeProgram(folder, { codeBytes: 0x5000 });
  await expect(readInput(path, { binary }, standardInput)).rejects.toThrow(
    `server.heap: ${binary} gives no names to this dump`,
  );
});

test('a dump with names needs no program', async () => {
  const path = fixturePath('jeprof/after.symbolized');
  const profile = await readInput(path, { binary: '/missing' }, standardInput);
  expect(profile.kind).toBe('symbolized');
});

test('a build id needs a program and is of hexadecimal digits', async () => {
  const path = fixturePath('jeprof/after.symbolized');
  await expect(readInput(path, { buildId: 'ab'.repeat(20) }, standardInput)).rejects.toThrow(
    '--build-id alone names nothing',
  );
  await expect(
    readInput(path, { binary: '/missing', buildId: '26.7.2.1' }, standardInput),
  ).rejects.toThrow('--build-id is no build id');
});
