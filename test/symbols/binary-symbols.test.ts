import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readProfile } from '../../src/readers/read-profile.ts';
import { unnamedAddresses } from '../../src/readers/unnamed-addresses.ts';
import { symbolsOfBinary } from '../../src/symbols/binary-symbols.ts';
import { temporaryFolder } from '../support/file-io.ts';
import { foldedOf } from '../support/profile-of.ts';

const usualPath = process.env.PATH;

afterEach(() => {
  process.env.PATH = usualPath;
});

/** A program of which the linker put the file from 0x1000 on at 0x401000. */
function programFile(folder: string, name = 'orders'): string {
  const elf = Buffer.alloc(64 + 56);
  elf.write('\x7fELF', 'latin1');
  elf.set([2, 1, 1], 4);
  elf.writeBigUInt64LE(64n, 32);
  elf.writeUInt16LE(56, 54);
  elf.writeUInt16LE(1, 56);
  elf.writeUInt32LE(1, 64);
  elf.writeBigUInt64LE(0x1000n, 64 + 8);
  elf.writeBigUInt64LE(0x401000n, 64 + 16);
  elf.writeBigUInt64LE(0x2000n, 64 + 32);
  const path = join(folder, name);
  writeFileSync(path, elf);
  return path;
}

/** Loaded at 0x555555000000, so that 0x555555000100 is 0x1100 in the file and 0x401100 for the linker. */
const DUMP = `heap_v2/1
  t*: 0: 0 [0: 0]
@ 0x555555000100 0x555555000201 0x7f0000000301 0x1
  t*: 1: 64 [0: 0]

MAPPED_LIBRARIES:
555555000000-555555002000 r-xp 00001000 08:01 42 /opt/orders
7f0000000000-7f0000001000 r-xp 00000000 08:01 43 /usr/lib/libc.so.6
`;

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
orders.c:9
0x0000000000401200
??
??:0
`;

test('names come from the program, inlined functions below those that they are in', async () => {
  const folder = temporaryFolder();
  const binary = programFile(folder);
  install(folder, 'llvm-symbolizer', ANSWER);
  const symbols = await symbolsOfBinary(unnamedAddresses(Buffer.from(DUMP)), binary);
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
  const binary = programFile(folder);
  install(folder, 'addr2line', '0x401100\nmain\n??:0\n');
  const symbols = await symbolsOfBinary(unnamedAddresses(Buffer.from(DUMP)), binary);
  expect([...symbols.values()]).toEqual(['main']);
});

test('without either it is said what to install', async () => {
  const folder = temporaryFolder();
  process.env.PATH = folder;
  await expect(
    symbolsOfBinary(unnamedAddresses(Buffer.from(DUMP)), programFile(folder)),
  ).rejects.toThrow('neither llvm-symbolizer nor addr2line is installed');
});

test('a program of another name is asked for nothing', async () => {
  const folder = temporaryFolder();
  process.env.PATH = folder;
  const binary = programFile(folder, 'clickhouse');
  expect((await symbolsOfBinary(unnamedAddresses(Buffer.from(DUMP)), binary)).size).toBe(0);
});

test('what is no program is a sentence', async () => {
  const folder = temporaryFolder();
  const text = join(folder, 'orders');
  writeFileSync(text, 'not a program');
  const unnamed = unnamedAddresses(Buffer.from(DUMP));
  await expect(symbolsOfBinary(unnamed, text)).rejects.toThrow('it is no 64-bit ELF file');
  await expect(symbolsOfBinary(unnamed, join(folder, 'missing'))).rejects.toThrow(
    'missing gives no names',
  );
});
