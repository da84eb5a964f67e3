import type { FrameTable } from '../profile/frame-table.ts';
import type { Bytes } from '../units.ts';

const LG_RECORD_INTS = 2;
const RECORD_INTS = 1 << LG_RECORD_INTS;
/** A record of the table: hash, length, where the name starts in the arena, id. */
const LENGTH_AT = 1;
const START_AT = 2;
const ID_AT = 3;

const OPENING = 0x3c;
const CLOSING = 0x3e;
/** "<" sixteen digits ">". */
const ADDRESS_SUFFIX_BYTES = 18;

/** Room after the last name: names are compared four bytes at a time. */
export const PADDING_BYTES = 8;

/**
 * Gives frames numbers without making strings of them. Names are read in place, hashed and compared four bytes at a
 * time, and copied once. Two names share an id only when all their bytes are equal. Id 0 is the empty name.
 */
export class FrameInterner {
  /** The byte that ends a name, four times over. */
  readonly #separators: number;
  readonly #separator: number;
  #records: Int32Array;
  #offset = new Uint32Array(1 << 10);
  #length = new Uint32Array(1 << 10);
  #size = 1;
  #recordCount = 0;
  #arena: Uint8Array;
  #arenaView: DataView;
  #used = 0;
  /** The name that followed last time, by id: stacks repeat themselves. */
  #follower = new Int32Array(1 << 10);

  /** Where the name that was read last ended. */
  end = 0;

  constructor(separator: number, expectedNameBytes: Bytes = 1 << 16) {
    this.#separator = separator;
    this.#separators = Math.imul(separator, 0x01010101);
    this.#records = new Int32Array((1 << 11) * RECORD_INTS);
    this.#arena = new Uint8Array(expectedNameBytes + PADDING_BYTES);
    this.#arenaView = new DataView(this.#arena.buffer);
  }

  get size(): number {
    return this.#size;
  }

  /**
   * The id of the name that starts here and ends before the next separator or at `stop`; sets `end`. `before` is the
   * id of the frame before it. The bytes must be readable up to `stop + PADDING_BYTES`.
   */
  read(view: DataView, start: number, stop: number, before: number): number {
    const guess = this.#follower[before] as number;
    if (guess !== 0 && this.#isAt(guess, view, start, stop)) return guess;
    const id = this.#lookUp(view, start, stop);
    this.#follower[before] = id;
    return id;
  }

  /** The id of a name that is not in the input. */
  intern(name: string): number {
    const text = Buffer.from(name);
    const padded = Buffer.alloc(text.length + PADDING_BYTES);
    text.copy(padded);
    return this.#lookUp(new DataView(padded.buffer, padded.byteOffset), 0, text.length);
  }

  /** Whether the whole name is here, with nothing more of it to come. */
  #isAt(id: number, view: DataView, start: number, stop: number): boolean {
    const length = this.#length[id] as number;
    const end = start + length;
    if (end > stop || (end < stop && view.getUint8(end) !== this.#separator)) return false;
    if (!this.#isEqual(this.#offset[id] as number, view, start, length)) return false;
    this.end = end;
    return true;
  }

  #isEqual(offset: number, view: DataView, start: number, length: number): boolean {
    const arena = this.#arenaView;
    let at = 0;
    for (; at + 4 <= length; at += 4) {
      if (view.getInt32(start + at, true) !== arena.getInt32(offset + at, true)) return false;
    }
    for (; at < length; at += 1) {
      if (view.getUint8(start + at) !== arena.getUint8(offset + at)) return false;
    }
    return true;
  }

  #lookUp(view: DataView, start: number, stop: number): number {
    const separators = this.#separators;
    let hash = 0x811c9dc5 | 0;
    let at = start;
    for (; at + 4 <= stop; at += 4) {
      const word = view.getInt32(at, true);
      const difference = word ^ separators;
      // Has a zero byte where the word has a separator: the trick of Hacker's Delight, 6-1.
      if (((difference - 0x01010101) & ~difference & 0x80808080) !== 0) break;
      hash = Math.imul(hash ^ word, 0x5bd1e995);
      hash ^= hash >>> 15;
    }
    let rest = 0;
    for (; at < stop; at += 1) {
      const byte = view.getUint8(at);
      if (byte === this.#separator) break;
      rest = (rest << 8) | byte;
    }
    hash = Math.imul(hash ^ rest, 0x5bd1e995);
    hash ^= hash >>> 13;
    hash = Math.imul(hash, 0x27d4eb2f);
    hash ^= hash >>> 15;
    this.end = at;
    return at === start ? 0 : this.#find(hash, view, start, at - start);
  }

  /**
   * The id of the name without the address that jeprof puts behind it, `main<0000000000401247>`: two builds have
   * different ones. 0 when there is none.
   */
  #withoutAddress(view: DataView, start: number, length: number): number {
    const nameLength = length - ADDRESS_SUFFIX_BYTES;
    const isSuffix =
      nameLength > 0 &&
      view.getUint8(start + length - 1) === CLOSING &&
      view.getUint8(start + nameLength) === OPENING &&
      isHex(view, start + nameLength + 1, start + length - 1);
    return isSuffix ? this.#lookUp(view, start, start + nameLength) : 0;
  }

  #find(hash: number, view: DataView, start: number, length: number): number {
    const records = this.#records;
    const mask = records.length - 1;
    let at = (hash << LG_RECORD_INTS) & mask;
    for (;;) {
      const id = records[at + ID_AT] as number;
      if (id === 0) {
        const known = this.#withoutAddress(view, start, length);
        this.end = start + length;
        return known === 0
          ? this.#add(hash, view, start, length)
          : this.#note(known, hash, view, start, length);
      }
      const isSame =
        records[at] === hash &&
        records[at + LENGTH_AT] === length &&
        this.#isEqual(records[at + START_AT] as number, view, start, length);
      if (isSame) return id;
      at = (at + RECORD_INTS) & mask;
    }
  }

  #add(hash: number, view: DataView, start: number, length: number): number {
    const id = this.#size;
    this.#size += 1;
    if (id === this.#offset.length) this.#growColumns();
    this.#offset[id] = this.#used;
    this.#length[id] = length;
    return this.#note(id, hash, view, start, length);
  }

  /** Keeps a name and what it is an id for. */
  #note(id: number, hash: number, view: DataView, start: number, length: number): number {
    if (this.#used + length + PADDING_BYTES > this.#arena.length) this.#growArena(length);
    this.#arena.set(new Uint8Array(view.buffer, view.byteOffset + start, length), this.#used);
    const records = this.#records;
    const at = freeRecord(records, hash);
    records[at] = hash;
    records[at + LENGTH_AT] = length;
    records[at + START_AT] = this.#used;
    records[at + ID_AT] = id;
    this.#used += length;
    this.#recordCount += 1;
    if (this.#recordCount * 2 * RECORD_INTS > records.length) this.#growRecords();
    return id;
  }

  #growColumns(): void {
    const size = this.#size * 2;
    this.#offset = copyInto(this.#offset, new Uint32Array(size));
    this.#length = copyInto(this.#length, new Uint32Array(size));
    this.#follower = copyInto(this.#follower, new Int32Array(size));
  }

  #growArena(length: number): void {
    const size = Math.max(this.#arena.length * 2, this.#used + length + PADDING_BYTES);
    this.#arena = copyInto(this.#arena, new Uint8Array(size));
    this.#arenaView = new DataView(this.#arena.buffer);
  }

  #growRecords(): void {
    const old = this.#records;
    const records = new Int32Array(old.length * 2);
    for (let from = 0; from < old.length; from += RECORD_INTS) {
      if (old[from + ID_AT] === 0) continue;
      const at = freeRecord(records, old[from] as number);
      for (let int = 0; int < RECORD_INTS; int += 1) records[at + int] = old[from + int] as number;
    }
    this.#records = records;
  }

  build(): FrameTable {
    return {
      size: this.#size,
      bytes: this.#arena.slice(0, this.#used),
      offset: this.#offset.slice(0, this.#size),
      length: this.#length.slice(0, this.#size),
    };
  }
}

/** Where a record with this hash may be written. */
function freeRecord(records: Int32Array, hash: number): number {
  const mask = records.length - 1;
  let at = (hash << LG_RECORD_INTS) & mask;
  while (records[at + ID_AT] !== 0) at = (at + RECORD_INTS) & mask;
  return at;
}

function isHex(view: DataView, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = view.getUint8(at);
    // 0 to 9, a to f.
    if (byte < 0x30 || byte > 0x66 || (byte > 0x39 && byte < 0x61)) return false;
  }
  return true;
}

function copyInto<Column extends Int32Array | Uint32Array | Uint8Array>(
  from: Column,
  to: Column,
): Column {
  to.set(from);
  return to;
}
