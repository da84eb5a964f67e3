import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from '../src/make-folder.ts';

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'memprof-test-folder-'));
});
afterEach(() => rm(base, { recursive: true }));

test('makes what is missing, and is content with what is there', async () => {
  const folder = join(base, 'a', 'b with blank', 'c');
  await Promise.all([makeFolder(folder), makeFolder(folder)]);
  await makeFolder(folder);
  expect((await stat(folder)).isDirectory()).toBe(true);
});

test('ends with a sentence where a folder takes no others', async () => {
  await expect(makeFolder('/proc/nope/data')).rejects.toThrow(
    /Could not make the folder \/proc\/nope\/data\. ENOENT.*Name a folder that may be written to/,
  );
});

test('says that a file is in the way', async () => {
  const file = join(base, 'file');
  await writeFile(file, '');
  await expect(makeFolder(file)).rejects.toThrow(/A file of that name is there/);
  await expect(makeFolder(join(file, 'below'))).rejects.toThrow(/Could not make the folder/);
});
