import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { ProfileReader } from '../../src/readers/profile-reader.ts';
import { readProfile } from '../../src/readers/read-profile.ts';
import { symbolizedText } from '../support/heap-text.ts';
import { foldedOf } from '../support/profile-of.ts';

const STACKS = 'main;insert 30\nmain;select;sort 50\n';

function refusalOf(input: string | Uint8Array): Failure {
  try {
    readProfile(typeof input === 'string' ? Buffer.from(input) : input);
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
  throw new Error('it was read');
}

test('the kind is told from the content', () => {
  const dump = symbolizedText([{ stack: ['main', 'insert'], objects: 1, bytes: 100 }]);
  expect(readProfile(Buffer.from(STACKS)).kind).toBe('collapsed');
  expect(readProfile(Buffer.from(dump)).kind).toBe('symbolized');
  expect(readProfile(Buffer.from(dump.slice(dump.indexOf('heap_v2')))).kind).toBe('heap_v2');
  expect(readProfile(gzipSync(STACKS)).kind).toBe('collapsed');
});

test('how a text is encoded makes no difference to what it says', () => {
  const utf16 = Buffer.from(`\ufeff${STACKS}`, 'utf16le');
  const inputs = [
    Buffer.from(`\ufeff${STACKS}`),
    utf16,
    utf16.subarray(2),
    Buffer.from(utf16).swap16(),
    Buffer.from(STACKS.replaceAll('\n', '\r\n')),
    gzipSync(utf16),
    gzipSync(gzipSync(STACKS)),
  ];
  for (const input of inputs) {
    expect(foldedOf(readProfile(input))).toEqual(['main;insert 30', 'main;select;sort 50']);
  }
});

test.each([
  ['nothing', '', 'It is empty'],
  ['blank lines', '\n \n\t\n', 'nothing but blank lines'],
  ['a V8 heap profile', '{"head":{"callFrame":{"functionName":"(root)"}}}', '.heapprofile'],
  [
    'a speedscope file',
    '{"$schema":"https://www.speedscope.app/file-format-schema.json"}',
    'speedscope',
  ],
  ['HTML', '<!DOCTYPE html><html><body>502</body></html>', 'a web page (HTML)'],
  ['an SVG', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'an SVG picture'],
  ['tcmalloc growth', 'heap profile: 1: 2 [3: 4] @ growthz\n', 'heap growth profile of tcmalloc'],
  ['a legacy Java heap', '--- heapz 1 ---\nformat = java\n', 'legacy pprof'],
  [
    "jeprof's own text",
    'Total: 3.2 MB\n     1.5  46.9%  46.9%  1.5 46.9% main\n',
    'text output of jeprof',
  ],
  [
    'an Instruments copy',
    'Bytes Used\tCount\tSymbol Name\n1 KB\t2\tmain\n',
    'recording of Instruments',
  ],
  [
    'a server error',
    'Code: 241. DB::Exception: memory limit exceeded',
    'error message of ClickHouse',
  ],
])('%s is refused by its name', (_, input, words) => {
  const refusal = refusalOf(input);
  expect(refusal.kind).toBe('not-a-profile');
  expect(refusal.message).toContain(words);
});

test('gzip of something else is refused by what is in it', () => {
  expect(refusalOf(gzipSync('{"a":1}')).message).toContain('a JSON file');
  expect(refusalOf(gzipSync(STACKS).subarray(0, 30)).message).toContain('cannot be unpacked');
});

test('a gzip file that unpacks to far more than a profile would is not unpacked', () => {
  const bomb = gzipSync(Buffer.alloc(80 << 20, 0x61), { level: 9 });
  expect(refusalOf(bomb).message).toContain('more than 64.00 MiB');
});

test('prose is refused with the line where it stopped making sense', () => {
  const refusal = refusalOf('first;line 3\nDear reader,\nthis is a letter\nto you\n');
  expect(refusal.kind).toBe('not-a-profile');
  expect(refusal.message).toContain('line 2 is “Dear reader,”');
});

test('what is broken in part is drawn without it, and the first three lines left out are shown', () => {
  const text = `${STACKS}no number here\nmain;select 5\n\x1b[31mred\n;;;\nmore prose\nmain;a 1\nmain;b 1\n`;
  const profile = readProfile(Buffer.from(text));
  expect(profile.totalBytes).toBe(87);
  expect(profile.skippedLines).toBe(4);
  expect(profile.firstSkipped).toEqual([
    { lineNumber: 3, text: 'no number here', why: 'no number after the stack' },
    { lineNumber: 5, text: '�[31mred', why: 'no number after the stack' },
    { lineNumber: 6, text: ';;;', why: 'no number after the stack' },
  ]);
});

test.each([1, 2, 3, 1000])('chunks of %i bytes make no difference', (size) => {
  const text = Buffer.from(`\ufeff${STACKS.repeat(300)}broken\nmain;größe;列 1`, 'utf16le');
  const reader = new ProfileReader();
  for (let at = 0; at < text.length; at += size) reader.feed(text.subarray(at, at + size));
  const profile = reader.finish();
  expect(profile).toMatchObject({ totalBytes: 24_001, skippedLines: 1, stackCount: 3 });
  expect(foldedOf(profile).at(-1)).toBe('main;größe;列 1');
});

test('a short line after a long one, at the very end of the input', () => {
  const text = `${'r'.repeat(1000)};leaf 5\nr 1`;
  expect(readProfile(Buffer.from(text))).toMatchObject({ totalBytes: 6, stackCount: 2 });
});

test('numbers that no sum could hold are no numbers', () => {
  const profile = readProfile(Buffer.from('a;b 1e308\na;c 1e308\na;d 5\na;e 1e99\na;f 2\n'));
  expect(profile).toMatchObject({ totalBytes: 1e99, skippedLines: 2 });
  const dump = `heap_v2/1\n  t*: 0: 0 [0: 0]\n@ 0x1\n  t*: 1: ${'9'.repeat(400)} [0: 0]\n@ 0x2\n  t*: 2: 64 [0: 0]\n`;
  expect(readProfile(Buffer.from(dump), { numbers: 'sampled' })).toMatchObject({
    totalBytes: 64,
    skippedLines: 2,
  });
});

test('a second total of one stack is left out, and that is said', () => {
  const dump = 'heap_v2/1\n  t*: 0: 0 [0: 0]\n@ 0x1\n  t*: 1: 8 [0: 0]\n  t*: 1: 9 [0: 0]\n';
  const profile = readProfile(Buffer.from(dump), { numbers: 'sampled' });
  expect(profile).toMatchObject({ totalBytes: 8, skippedLines: 1 });
  expect(profile.firstSkipped[0]?.why).toBe('a second “t*:” line of one stack');
});

test('a dump behind names is read, though what parts the two is lost', () => {
  const whole = symbolizedText([{ stack: ['main', 'insert'], objects: 1, bytes: 100 }]);
  const text = whole.replace('---\n--- heap\n', '0x0000000000eap\n');
  const profile = readProfile(Buffer.from(text), { numbers: 'sampled' });
  expect(foldedOf(profile)).toEqual(['main;insert 100']);
  expect(profile.firstSkipped).toEqual([
    { lineNumber: 7, text: '0x0000000000eap', why: 'no address with a name' },
  ]);
});

test.each([
  ['another raw dump', 'heap_v2/1\n  t*: 1: 8 [0: 0]\n@ 0x1\n  t*: 1: 8 [0: 0]\n', 4],
  ['another dump with names', symbolizedText([{ stack: ['b'], objects: 1, bytes: 8 }]), 11],
  ['names', '--- symbol\n0x0000000000000001 late\n---\n', 3],
])('%s behind a dump is left out, and that is said', (_, behind, skippedLines) => {
  const dump = 'heap_v2/1\n  t*: 0: 0 [0: 0]\n@ 0x1\n  t*: 1: 64 [0: 0]\n';
  for (const ending of ['', '\n', '\nMAPPED_LIBRARIES:\n1000-2000 r-xp 0 08:01 42 /opt/a\n']) {
    const text = Buffer.from(dump + ending + behind);
    const profile = readProfile(text, { numbers: 'sampled' });
    expect(foldedOf(profile)).toEqual(['0x1 64']);
    expect(profile.skippedLines).toBe(skippedLines);
    expect(profile.firstSkipped[0]?.why).toBe('behind the end of the first dump');
    expect(profile.notes.join()).toContain('What comes behind the dump is left out');
    expect(profile.notes.join().includes('list of libraries')).toBe(!ending.includes('MAPPED'));
  }
});
