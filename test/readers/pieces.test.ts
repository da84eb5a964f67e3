import { expect, test } from 'vitest';
import type { Failure } from '../../src/failure.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { CollapsedParser } from '../../src/readers/collapsed.ts';
import { HeapDumpParser } from '../../src/readers/heap-dump.ts';
import { ProfileReader } from '../../src/readers/profile-reader.ts';
import { readProfile } from '../../src/readers/read-profile.ts';
import { fuzzSeeds } from '../fuzz/seeds.ts';

const LARGEST_PIECE = 64;
/** More than a reader looks ahead at most. */
const TAIL_BYTES = 32;

/** A profile, or the sentence of the refusal. */
function answerOf(read: () => Profile): Profile | string {
  try {
    return read();
  } catch (thrown) {
    return (thrown as Failure).message;
  }
}

/** Feeds an input through one buffer, which is overwritten as soon as each call is over. */
function readPieces(input: Buffer, pieceBytes: number): Profile {
  const reader = new ProfileReader();
  const buffer = Buffer.alloc(pieceBytes);
  for (let at = 0; at < input.length; at += pieceBytes) {
    reader.feed(buffer.subarray(0, input.copy(buffer, 0, at)));
    buffer.fill('*');
  }
  return reader.finish();
}

test.each(fuzzSeeds().map((input, number) => [number, input] as const))(
  'input %i in pieces of any size, through one buffer, is what it is as a whole',
  (_, input) => {
    const whole = answerOf(() => readProfile(input));
    for (let pieceBytes = 1; pieceBytes <= LARGEST_PIECE; pieceBytes += 1) {
      expect(answerOf(() => readPieces(input, pieceBytes))).toEqual(whole);
    }
  },
);

/** Reads a text that lies in a block with this behind it, as leftovers of earlier lines do. */
function readBefore(tail: string, text: Buffer, parser: CollapsedParser | HeapDumpParser): Profile {
  const bytes = Buffer.concat([text, Buffer.from(tail.repeat(TAIL_BYTES))]);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  parser.block({ bytes, view, end: text.length });
  return parser.finish();
}

const tails = ['*', '0', '9', ': ', ']', ' [0: 0]', '\n', '\r\n', ' ', ';', 'f', '0x1 '];

test('what lies behind the end of a dump is no part of its last line, wherever it was cut off', () => {
  const dump = Buffer.from(
    'heap_v2/1\n  t*: 7: 64 [8: 96]\n@ 0x1 0x2f\n  t*: 7: 64 [8: 96]\n  t1: 7',
  );
  for (let end = 0; end <= dump.length; end += 1) {
    const text = dump.subarray(0, end);
    const expected = answerOf(() => readBefore('\0', text, new HeapDumpParser()));
    for (const tail of tails) {
      expect(answerOf(() => readBefore(tail, text, new HeapDumpParser()))).toEqual(expected);
    }
  }
});

test('what lies behind the end of collapsed stacks is no part of their last line', () => {
  const stacks = Buffer.from('main;a 12\nmain;a;bcdefg 1.5e3\n# note\nmain;b -5');
  for (let end = 0; end <= stacks.length; end += 1) {
    const text = stacks.subarray(0, end);
    const expected = answerOf(() => readBefore('\0', text, new CollapsedParser()));
    for (const tail of tails) {
      expect(answerOf(() => readBefore(tail, text, new CollapsedParser()))).toEqual(expected);
    }
  }
});

test('a last line “t” is a thread, whatever stood in the same place before', () => {
  const text = Buffer.from('heap_v2/1\n  t*: 1: 8 [0: 0]\n@ 0x1\n  t*: 1: 8 [0: 0]\n  t');
  expect(readBefore('*', text, new HeapDumpParser())).toMatchObject({
    totalBytes: readProfile(text).totalBytes,
    skippedLines: 0,
  });
});
