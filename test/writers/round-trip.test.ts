import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Profile } from '../../src/profile/profile.ts';
import { subtractBase } from '../../src/profile/subtract-base.ts';
import { readProfile } from '../../src/readers/read-profile.ts';
import { collapsedText } from '../../src/writers/collapsed.ts';
import { pprofFile } from '../../src/writers/pprof.ts';
import { symbolizedText } from '../support/heap-text.ts';
import { foldedOf, profileOf } from '../support/profile-of.ts';

/** Names without blanks at their ends: a line of collapsed stacks cannot keep those. */
const name = fc
  .string({ unit: fc.constantFrom(...'ab#:<>&"\'`é列😀 ', '::', '--', '(int)'), maxLength: 8 })
  .map((text) => `f${text}g`);
const stacks = fc.dictionary(
  fc.array(name, { minLength: 1, maxLength: 6 }).map((names) => names.join(';')),
  fc.integer({ min: 1, max: 2 ** 50 }),
  { maxKeys: 20 },
);

test('collapsed stacks are read back as they were written', () => {
  fc.assert(
    fc.property(stacks, (folded) => {
      fc.pre(Object.keys(folded).length > 0);
      const profile = profileOf(folded, { unsampled: false });
      const back = readProfile(collapsedText(profile));
      expect(foldedOf(back).toSorted()).toEqual(foldedOf(profile).toSorted());
      expect(back).toMatchObject({ skippedLines: 0, totalBytes: profile.totalBytes });
    }),
  );
});

test('pprof is read back as it was written, objects and samples too', () => {
  fc.assert(
    fc.property(stacks, (folded) => {
      const profile = profileOf(folded);
      const back = readProfile(pprofFile(profile));
      expect(foldedOf(back).toSorted()).toEqual(foldedOf(profile).toSorted());
      expect(back).toMatchObject({
        kind: 'pprof',
        totalBytes: profile.totalBytes,
        totalCount: profile.totalCount,
      });
    }),
  );
});

const dump = readProfile(
  Buffer.from(
    symbolizedText([
      { stack: ['main', 'DB::insert(a, b)'], objects: 3, bytes: 3000 },
      { stack: ['main', 'DB::select()'], objects: 2, bytes: 400 },
    ]),
  ),
);

test('what an estimate rests on goes through pprof: samples, interval, notes', () => {
  const back = readProfile(pprofFile({ ...dump, notes: ['The dump may be cut off'] }));
  expect(back).toMatchObject({
    unsampled: true,
    sampleCount: 5,
    samplingIntervalBytes: 65_536,
    notes: ['The dump may be cut off'],
  });
  expect(back.totalBytes).toBeCloseTo(dump.totalBytes, -1);
});

test('estimates are written as whole numbers, rounded stack by stack', () => {
  const values = [...dump.tree.selfBytes].filter((bytes) => bytes > 0).map(Math.round);
  expect(textOf(collapsedText(dump))).toBe(
    `main;DB::insert(a, b) ${values[0]}\nmain;DB::select() ${values[1]}\n`,
  );
});

test('counts are written in place of bytes when they are asked for', () => {
  expect(textOf(collapsedText(profileOf({ 'main;a': 500 }), { measure: 'count' }))).toBe(
    'main;a 1\n',
  );
});

test('what would break a line apart is replaced, and nothing else', () => {
  const profile = readProfile(pprofFile(odd({ '# root': 1, 'a\nb': 2, 'x y': 3, '#': 4 })));
  expect(textOf(collapsedText(profile))).toBe(': root 1\na b 2\nx y 3\n: 4\n');
  const semicolon = profileOf({});
  expect(textOf(collapsedText({ ...semicolon, tree: oneFrame('operator;') }))).toBe(
    'operator: 7\n',
  );
});

test('numbers beyond 2^53 are written out, without an exponent', () => {
  expect(textOf(collapsedText(profileOf({ a: 2 ** 80 })))).toBe(`a ${2n ** 80n}\n`);
});

test('what shrank is negative in collapsed stacks and in pprof', () => {
  const change = subtractBase(profileOf({ a: 10, b: 5 }), profileOf({ a: 30, c: 1 }));
  expect(foldedOf(readProfile(collapsedText(change)))).toEqual(['a -20', 'b 5', 'c -1']);
  expect(foldedOf(readProfile(pprofFile(change)))).toEqual(['a -20', 'b 5', 'c -1']);
});

test('what has no stack is written as a frame that says so', () => {
  const profile = readProfile(
    Buffer.from('heap_v2/1\n  t*: 0: 0 [0: 0]\n@\n  t*: 2: 64 [0: 0]\n\nMAPPED_LIBRARIES:\n'),
  );
  expect(textOf(collapsedText(profile))).toBe('[no stack] 64\n');
});

test('a stack of 20,000 frames is written and read', () => {
  const deep = Array.from({ length: 20_000 }, (_, level) => `f${level}`).join(';');
  const profile = profileOf({ [deep]: 1 });
  expect(textOf(collapsedText(profile))).toBe(`${deep} 1\n`);
  expect(readProfile(collapsedText(profile)).tree.nodeCount).toBe(20_001);
  expect(readProfile(pprofFile(profile)).tree.nodeCount).toBe(20_001);
});

test('the same profile gives the same bytes, on any system', () => {
  const file = pprofFile(dump);
  expect(Buffer.from(pprofFile(dump)).equals(file)).toBe(true);
  // Neither a time nor the name of the system in the header of gzip.
  expect([...file.subarray(4, 10)]).toEqual([0, 0, 0, 0, 0, 255]);
  expect(gunzipSync(file).equals(gunzipSync(gzipSync(gunzipSync(file))))).toBe(true);
});

function odd(frames: Readonly<Record<string, number>>): Profile {
  return profileOf(frames, { unsampled: false });
}

function oneFrame(frame: string): Profile['tree'] {
  const { tree } = profileOf({ x: 7 });
  const bytes = new TextEncoder().encode(frame);
  return {
    ...tree,
    frames: {
      size: 2,
      bytes,
      offset: Uint32Array.of(0, 0),
      length: Uint32Array.of(0, bytes.length),
    },
  };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}
