import type { Bytes, Count } from '../units.ts';

const ZERO = 0x30;
const SPACE = 0x20;
const COLON = 0x3a;
const ASTERISK = 0x2a;
const BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
/** Of a number of 64 bits. */
const MOST_DIGITS = 20;

/** What kind of record a line is, by its first word. */
export type HeapLineKind =
  | 'stack'
  | 'totals'
  | 'thread'
  | 'object'
  | 'mappings'
  | 'blank'
  | 'unknown';

const KINDS: ReadonlyMap<number, HeapLineKind> = new Map([
  [0x40, 'stack'],
  [0x74, 'thread'],
  [0x66, 'object'],
  [0x4d, 'mappings'],
]);
const MAPPINGS = 'MAPPED_LIBRARIES:';

/**
 * Reads lines of a heap_v2 dump in place; what a line says is found in its fields. Nothing behind a line's end is
 * looked at: the last line of a text may lack a newline, and leftovers of earlier lines lie behind it.
 */
export class HeapLine {
  /** After the blanks that indent it. */
  textStart = 0;
  liveObjects: Count = 0;
  liveBytes: Bytes = 0;
  accumulatedObjects: Count = 0;
  accumulatedBytes: Bytes = 0;
  #at = 0;
  #end = 0;
  #number = 0;

  kindOf(bytes: Buffer, start: number, end: number): HeapLineKind {
    let at = start;
    while (at < end && bytes[at] === SPACE) at += 1;
    this.textStart = at;
    if (at === end) return 'blank';
    const kind = KINDS.get(bytes[at] as number) ?? 'unknown';
    if (kind === 'thread' && at + 1 < end && bytes[at + 1] === ASTERISK) return 'totals';
    if (kind === 'mappings')
      return bytes.toString('latin1', at, end) === MAPPINGS ? kind : 'unknown';
    return kind;
  }

  /** `t*: objects: bytes [objects: bytes]`, live and accumulated. False for anything else, above all a cut-off line. */
  readTotals(bytes: Buffer, end: number): boolean {
    this.#at = this.textStart + 2;
    this.#end = end;
    if (!this.#skip(bytes, COLON, SPACE) || !this.#readNumber(bytes)) return false;
    this.liveObjects = this.#number;
    if (!this.#skip(bytes, COLON, SPACE) || !this.#readNumber(bytes)) return false;
    this.liveBytes = this.#number;
    if (!this.#skip(bytes, SPACE, BRACKET) || !this.#readNumber(bytes)) return false;
    this.accumulatedObjects = this.#number;
    if (!this.#skip(bytes, COLON, SPACE) || !this.#readNumber(bytes)) return false;
    this.accumulatedBytes = this.#number;
    return this.#at < end && bytes[this.#at] === CLOSING_BRACKET;
  }

  #skip(bytes: Buffer, first: number, second: number): boolean {
    const at = this.#at;
    this.#at += 2;
    return this.#at <= this.#end && bytes[at] === first && bytes[at + 1] === second;
  }

  #readNumber(bytes: Buffer): boolean {
    const start = this.#at;
    let value = 0;
    while (this.#at < this.#end) {
      const digit = (bytes[this.#at] as number) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
      this.#at += 1;
    }
    this.#number = value;
    return this.#at > start && this.#at - start <= MOST_DIGITS;
  }
}
