import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readProfile } from '../../src/readers/read-profile.ts';
import type { UnnamedAddresses } from '../../src/readers/unnamed-addresses.ts';
import { symbolsOfBinary } from '../../src/symbols/binary-symbols.ts';
import { type ProgramFile, writeProgram } from '../support/elf-file.ts';
import { temporaryFolder } from '../support/file-io.ts';
import { foldedOf } from '../support/profile-of.ts';

const usualPath = process.env.PATH;

afterEach(() => {
  process.env.PATH = usualPath;
});

/** Loaded at 0x555555000000, so that 0x555555000100 is 0x1100 in the file and 0x401100 for the linker. */
const DUMP = `heap_v2/1
  t*: 0: 0 [0: 0]
@ 0x555555000100 0x555555000201 0x7f0000000301 0x1
  t*: 1: 64 [0: 0]

MAPPED_LIBRARIES:
555555000000-555555002000 r-xp 00001000 08:01 42 /opt/orders
7f0000000000-7f0000001000 r-xp 00000000 08:01 43 /usr/lib/libc.so.6
`;
const BUILD_ID = '0123456789abcdef0123456789abcdef01234567';
/** The program that wrote the dump. */
const WRITER: ProgramFile = { returnPlaces: [0x1201], buildId: BUILD_ID };

function unnamedIn(dump: string): UnnamedAddresses {
  let unnamed: UnnamedAddresses | undefined;
  readProfile(Buffer.from(dump), {
    onUnnamed: (addresses) => {
      unnamed = addresses;
    },
  });
  return unnamed as UnnamedAddresses;
}

/** Puts a program of this name on the search path, alone with what a shell script needs. */
function install(folder: string, name: string, answer: string): void {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(
    join(bin, name),
    `#!/bin/sh\nwhile read -r _; do :; done\nprintf '%s' '${answer}'\n`,
  );
  chmodSync(join(bin, name), 0o755);
  process.env.PATH = bin;
}

const ANSWER = `0x0000000000401100
inlined(int)
orders.c:3
outer(std::vector<int, std::allocator<int> >)
orders.c:9 (discriminator 2)
0x0000000000401200
??
??:0
`;

/** What a program gives names to; a symboliser answers for it. */
async function namesBy(file: ProgramFile, dump = DUMP, buildId?: string) {
  const folder = temporaryFolder();
  install(folder, 'llvm-symbolizer', ANSWER);
  const path = writeProgram(folder, file);
  const symbols = await symbolsOfBinary(
    unnamedIn(dump),
    buildId === undefined ? { path } : { path, buildId },
  );
  return [...symbols.keys()];
}

test('names come from the program, inlined functions below those that they are in', async () => {
  const folder = temporaryFolder();
  install(folder, 'llvm-symbolizer', ANSWER);
  const path = writeProgram(folder, WRITER);
  const symbols = await symbolsOfBinary(unnamedIn(DUMP), { path });
  expect([...symbols]).toEqual([
    ['0x555555000100', 'outer(std::vector<int, std::allocator<int> >)--inlined(int)'],
  ]);
  const profile = readProfile(Buffer.from(DUMP), { symbols, numbers: 'sampled' });
  expect(foldedOf(profile)).toEqual([
    '0x0;libc.so.6+0x300;orders+0x1200;outer(std::vector<int, std::allocator<int> >);inlined(int) 64',
  ]);
});

test('addr2line does where llvm-symbolizer is not installed', async () => {
  const folder = temporaryFolder();
  const path = writeProgram(folder, { ...WRITER, functions: [[0x401100, 0x401180]] });
  install(folder, 'addr2line', '0x401100\nmain\n??:0\n');
  const symbols = await symbolsOfBinary(unnamedIn(DUMP), { path });
  expect([...symbols.values()]).toEqual(['main']);
});

test.each(['??:0', '??:?', 'orders.c:?'])(
  'the function before, which ended before, gives no name (%s)',
  async (place) => {
    const folder = temporaryFolder();
    const functions = [
      [0x401000, 0x401100],
      [0x401101, 0x401180],
    ] as const;
    const path = writeProgram(folder, { ...WRITER, functions });
    install(folder, 'addr2line', `0x401100\nneighbour\n${place}\n`);
    expect((await symbolsOfBinary(unnamedIn(DUMP), { path })).size).toBe(0);
  },
);

test('without either it is said what to install', async () => {
  const folder = temporaryFolder();
  process.env.PATH = folder;
  const path = writeProgram(folder, WRITER);
  await expect(symbolsOfBinary(unnamedIn(DUMP), { path })).rejects.toThrow(
    'Neither llvm-symbolizer nor addr2line is installed',
  );
});

test('a program of another name is refused, and told what the process ran', async () => {
  await expect(namesBy({ ...WRITER, name: 'clickhouse' })).rejects.toThrow(
    "The dump's process ran no file with that name, but orders, libc.so.6",
  );
});

test('a dump without a list of libraries cannot tell whose its addresses are', async () => {
  const cutOff = DUMP.slice(0, DUMP.indexOf('MAPPED'));
  await expect(namesBy(WRITER, cutOff)).rejects.toThrow('no list of libraries at its end');
});

test.each([0x1000, 0x2001, 0x3000])(
  'a program with %i bytes of code did not run in two pages',
  async (codeBytes) => {
    await expect(namesBy({ ...WRITER, codeBytes })).rejects.toThrow('it is another build');
  },
);

test('code that ends within its last page is mapped to the end of it', async () => {
  expect(await namesBy({ ...WRITER, codeBytes: 0x1001 })).toEqual(['0x555555000100']);
});

test('code of which the process changed some pages is mapped in parts', async () => {
  const parts = DUMP.replace(
    '555555000000-555555002000 r-xp 00001000 08:01 42 /opt/orders',
    '555555000000-555555001000 r-xp 00001000 08:01 42 /opt/orders\n555555001000-555555002000 r-xp 00002000 08:01 42 /opt/orders',
  );
  expect(await namesBy(WRITER, parts)).toEqual(['0x555555000100']);
});

test('a program in which no call comes before where functions return to is another build', async () => {
  await expect(namesBy({ ...WRITER, returnPlaces: [0x1202] })).rejects.toThrow(
    'Of 1 place to which functions of the dump return, only 0 are behind a call in it',
  );
});

test('the build id is compared where it is known, however it is written', async () => {
  for (const buildId of [BUILD_ID, BUILD_ID.toUpperCase(), `0x${BUILD_ID}`]) {
    expect(await namesBy(WRITER, DUMP, buildId)).toEqual(['0x555555000100']);
  }
  const other = BUILD_ID.replace('0', 'f');
  await expect(namesBy(WRITER, DUMP, other)).rejects.toThrow(
    `Its build id is ${BUILD_ID}, and that of the dump's program ${other}: it is another build`,
  );
  await expect(namesBy({ returnPlaces: [0x1201] }, DUMP, other)).rejects.toThrow(
    'It has no build id',
  );
});

test('debug symbols alone do not tell which build they are of', async () => {
  await expect(namesBy({ ...WRITER, returnPlaces: [], codeBytes: 0 })).rejects.toThrow(
    'It has debug symbols only',
  );
});

test('what is no program is a sentence', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'orders');
  writeFileSync(path, 'not a program');
  const unnamed = unnamedIn(DUMP);
  await expect(symbolsOfBinary(unnamed, { path })).rejects.toThrow('It is no 64-bit ELF file');
  await expect(symbolsOfBinary(unnamed, { path: join(folder, 'missing') })).rejects.toThrow(
    'missing gives no names',
  );
});
