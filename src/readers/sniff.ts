import type { Failure } from '../failure.ts';
import type { Bytes } from '../units.ts';
import { type Head, likenesses } from './likeness.ts';
import { notAProfile, READABLE_KINDS } from './not-a-profile.ts';
import { looksLikePprof } from './pprof-fields.ts';

/** How much of an input is looked at to tell what it is. */
export const SNIFFED_BYTES: Bytes = 16 << 10;

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';
export type InputKind = 'gzip' | 'pprof' | 'heap dump' | 'collapsed';

const HEAP_DUMP = /^(?:heap_v2\/\d|--- symbol\r?\n|--- heap\r?\n)/;
/** Behind lines of something else, such as a log; and without its first line, which the reader will miss. */
const HEAP_DUMP_WITHIN = /^(?:heap_v2\/\d+|--- symbol|--- heap|@ 0x[\da-f]+(?: 0x[\da-f]+)*)\r?$/m;
/** Of text this much may be control characters: stacks have been seen with NUL in a name. */
const MOST_CONTROL_SHARE = 0.1;

const NEVER_WRITTEN =
  'The file was made but never written, as when a disk is full or a machine stops: take it once more';

/** How the text is encoded, and how long the mark is that says so. Windows shells write UTF-16. */
export function encodingOf(bytes: Uint8Array): { encoding: Encoding; markBytes: Bytes } {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf-8', markBytes: 3 };
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', markBytes: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', markBytes: 2 };
  // Without a mark: every second byte of the first two ASCII characters is zero.
  if (isText(a) && b === 0 && isText(c) && d === 0) return { encoding: 'utf-16le', markBytes: 0 };
  if (a === 0 && isText(b) && c === 0 && isText(d)) return { encoding: 'utf-16be', markBytes: 0 };
  return { encoding: 'utf-8', markBytes: 0 };
}

/**
 * Tells what an input is by its first bytes. Whatever is none of the known kinds is taken for collapsed stacks, whose
 * lines tell soon enough; what is known to be something else is refused by name.
 */
export function identify(bytes: Uint8Array): InputKind {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  const head = { bytes, text: Buffer.from(bytes).toString('latin1') };
  if (HEAP_DUMP.test(head.text)) return 'heap dump';
  const likeness = likenesses.find(({ looksSo }) => looksSo(head));
  if (likeness !== undefined)
    throw notAProfile(`It looks like ${likeness.what}`, undefined, likeness.fix);
  if (looksLikePprof(bytes)) return 'pprof';
  if (HEAP_DUMP_WITHIN.test(head.text)) return 'heap dump';
  if (head.text.trim() === '') throw emptyInput(bytes.length);
  if (bytes.every((byte) => byte === 0))
    throw notAProfile('It has nothing but NUL bytes', undefined, NEVER_WRITTEN);
  if (isBinary(head)) throw notAProfile('It looks like binary data of no known kind');
  return 'collapsed';
}

function emptyInput(length: Bytes): Failure {
  return notAProfile(
    length === 0 ? 'It is empty' : 'It has nothing but blank lines',
    undefined,
    `Look whether the profile was written at all. ${READABLE_KINDS}`,
  );
}

/** NUL bytes at the end do not count: that part of the file was never written. */
function isBinary({ bytes: head }: Head): boolean {
  const bytes = head.subarray(0, head.findLastIndex((byte) => byte !== 0) + 1);
  const control = bytes.reduce((count, byte) => count + (isControl(byte) ? 1 : 0), 0);
  return control > bytes.length * MOST_CONTROL_SHARE;
}

function isControl(byte: number): boolean {
  const isLayout = byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0x1b;
  return byte < 0x20 && !isLayout;
}

function isText(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x20 && byte < 0x7f;
}
