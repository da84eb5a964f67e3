import { deflateSync, gzipSync } from 'node:zlib';
import { Profile as PprofMessage, StringTable } from 'pprof-format';
import { expect, test } from 'vitest';
import { readProfile } from '../../src/readers/read-profile.ts';
import { pprofFile } from '../../src/writers/pprof.ts';
import { foldedOf } from '../support/profile-of.ts';

const STACKS = 'main;insert 30\nmain;select;sort 50\n';
const FOLDED = ['main;insert 30', 'main;select;sort 50'];
const DUMP = `heap_v2/1
  t*: 1: 64 [0: 0]
@ 0x401000
  t*: 1: 64 [0: 0]

MAPPED_LIBRARIES:
00400000-00500000 r-xp 00000000 08:01 42 /opt/the orders (deleted)
`;

function read(input: string | Uint8Array) {
  return readProfile(typeof input === 'string' ? Buffer.from(input) : input, {
    numbers: 'sampled',
  });
}

/** An archive of tar with this file in it. */
function tarOf(text: string): Buffer {
  const header = Buffer.alloc(512);
  header.write('server.heap');
  header.write('ustar\0', 257);
  return Buffer.concat([header, Buffer.from(text), Buffer.alloc(1024)]);
}

test.each([
  ['a tar archive', tarOf(DUMP), 'a tar archive'],
  ['a packed tar archive', gzipSync(tarOf(DUMP)), 'a tar archive'],
  ['zlib', deflateSync(DUMP), 'data packed by zlib'],
  ['a gzip file in base64', gzipSync(DUMP).toString('base64'), 'a gzip file in base64'],
  ['an answer of curl -i', `HTTP/1.1 200 OK\r\nContent-Length: 35\r\n\r\n${STACKS}`, 'HTTP answer'],
  ['a pointer of Git LFS', 'version https://git-lfs.github.com/spec/v1\nsize 12345\n', 'Git LFS'],
  ['a drawn table', '   ┌─line─────┐\n1. │ main;a 5 │\n   └──────────┘\n', 'FORMAT TSVRaw'],
  ['lines in one', 'main;insert 30\\nmain;select;sort 50\\n\n', 'FORMAT TSVRaw'],
  ['lines of old Macs', STACKS.replaceAll('\n', '\r'), 'CR alone'],
  ['a newer dump', DUMP.replace('heap_v2', 'heap_v3'), 'another jemalloc'],
  ['a dump of jemalloc 3', 'heap profile: 1: 2 [0: 0] @ heap_v2/1\n', 'another jemalloc'],
  ['a file that was never written', Buffer.alloc(4096), 'nothing but NUL bytes'],
  ['one NUL', '\0', 'nothing but NUL bytes'],
  ['one letter', 'a', 'line 1 is “a”'],
  ['the beginning of a gzip file', Buffer.from([0x1f, 0x8b]), 'cannot be unpacked'],
  ['a blank that is none', 'main;insert\u00a030\n', 'line 1 is “main;insert�30”'],
])('%s is told by what it is', (_, input, words) => {
  expect(() => read(input)).toThrow(words);
});

test.each([
  ['a dump without its first line', DUMP.slice(DUMP.indexOf('@'))],
  [
    'names of a profile that is no heap',
    '--- symbol\n0x0000000000401000 a\n---\n--- profile\n\0\0\n',
  ],
])('%s lacks the line that tells how it was sampled', (_, input) => {
  expect(() => read(input)).toThrow('The line “heap_v2/…” that a dump begins with is missing');
});

test.each([
  ['blank lines', '\n\n', 0],
  ['a log', 'INFO: dumped 3: 4\nWARN; more 5\n', 2],
])('%s before a dump do not hide it', (_, before, skippedLines) => {
  expect(read(before + DUMP)).toMatchObject({ kind: 'heap_v2', totalBytes: 64, skippedLines });
});

test('a module keeps the blanks in its name, and loses what the kernel says of it', () => {
  expect(foldedOf(read(DUMP.replaceAll('\n', '\r\n')))).toEqual(['the orders+0x1000 64']);
});

test('an end of NUL bytes is left out, and that is said', () => {
  const profile = read(Buffer.concat([Buffer.from(STACKS), Buffer.alloc(4096)]));
  expect(foldedOf(profile)).toEqual(FOLDED);
  expect(profile.skippedLines).toBe(1);
});

test('several gzip files in one are read as one, and a tab parts as a blank does', () => {
  const [first = '', second = ''] = STACKS.split(/(?<=\n)/);
  expect(foldedOf(read(Buffer.concat([gzipSync(first), gzipSync(second)])))).toEqual(FOLDED);
  expect(foldedOf(read(STACKS.replaceAll(' ', '\t')))).toEqual(FOLDED);
});

test('numbers of 64 bits are kept, with a word on their digits', () => {
  const profile = read('main;a 9223372036854775808\nmain;b 9223372036854775809\n');
  expect(profile.totalBytes).toBe(2 ** 64);
  expect(profile.notes).toEqual([
    '1 number beyond 2^53, and all sums with such, hold to 15 digits only',
  ]);
  expect(() => pprofFile(profile)).toThrow('It has a number beyond 2^63, and pprof holds none');
});

test('names that were escaped for a web page fall into pieces, and that is said', () => {
  const escaped = read('main;std::vector&lt;int&gt;::push_back 5\n');
  expect(escaped.notes.join()).toContain('this text was escaped for a web page');
  expect(read('main;operator&;a&lt 5\nmain;R&amp 1\n').notes).toHaveLength(1);
  expect(read('main;operator&;T&& 5\n').notes).toEqual([]);
});

/** A pprof profile of one sample, of these types of values. */
function pprofOf(
  types: readonly (readonly [string, string])[],
  values: readonly number[],
  place = 1,
) {
  const stringTable = new StringTable();
  return new PprofMessage({
    stringTable,
    sampleType: types.map(([type, unit]) => ({
      type: stringTable.dedup(type),
      unit: stringTable.dedup(unit),
    })),
    sample: [{ locationId: [place], value: [...values] }],
    location: [{ id: 1, address: 0x1000 }],
  }).encode();
}

const SPACE = ['inuse_space', 'bytes'] as const;
const OBJECTS = ['inuse_objects', 'count'] as const;

test('pprof without a type of samples is told by what it lacks', () => {
  expect(() => read(pprofOf([], [5]))).toThrow('without a type of samples');
});

test('pprof with fewer values than types, or of places that it does not have, says so', () => {
  expect(read(pprofOf([OBJECTS, SPACE], [5])).notes.join()).toContain('1 sample with fewer values');
  const lost = read(pprofOf([SPACE], [5], 99));
  expect(foldedOf(lost)).toEqual(['[no stack] 5']);
  expect(lost.notes.join()).toContain('1 sample of places that the profile does not have');
});

test('pprof whose first sample is longer than all that is looked at is read', () => {
  const deep = read(`${Array.from({ length: 30_000 }, (_, depth) => `f${depth}`).join(';')} 5\n`);
  expect(read(pprofFile(deep))).toMatchObject({ kind: 'pprof', totalBytes: 5, stackCount: 1 });
});
