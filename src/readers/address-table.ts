import { doubledInts } from '../profile/columns.ts';
import type { AddressHex, Bytes } from '../units.ts';

const LG_RECORD_INTS = 2;
const RECORD_INTS = 1 << LG_RECORD_INTS;
/** A record: upper half, lower half, id. */
const LOWER_AT = 1;
const ID_AT = 2;

const ZERO = 0x30;
const LETTER_X = 0x78;
const NO_DIGIT = -1;
const LONGEST_ADDRESS: Bytes = 18;

const digitOf = new Int8Array(256).fill(NO_DIGIT);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  digitOf[digit.charCodeAt(0)] = value;
  digitOf[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Gives addresses numbers, from 1, without making strings or bigints of them: both halves of 64 bits are ints. */
export class AddressTable {
  #records = new Int32Array((1 << 11) * RECORD_INTS);
  #upper = new Int32Array(1 << 10);
  #lower = new Int32Array(1 << 10);
  #size = 1;

  /** Where the address that was read last ended. */
  end = 0;

  /** The id of the address that starts here, "0x" and up to 16 hex digits; 0 when there is none. Sets `end`. */
  read(view: DataView, start: number, stop: number): number {
    const hasPrefix =
      start + 2 < stop && view.getUint8(start) === ZERO && view.getUint8(start + 1) === LETTER_X;
    let upper = 0;
    let lower = 0;
    let at = start + 2;
    for (; at < stop; at += 1) {
      const digit = digitOf[view.getUint8(at)] as number;
      if (digit === NO_DIGIT) break;
      upper = (upper << 4) | (lower >>> 28);
      lower = (lower << 4) | digit;
    }
    this.end = at;
    const isAddress = hasPrefix && at > start + 2 && at - start <= LONGEST_ADDRESS;
    return isAddress ? this.#idOf(upper, lower) : 0;
  }

  addressOf(id: number): AddressHex {
    const upper = BigInt((this.#upper[id] as number) >>> 0);
    const lower = BigInt((this.#lower[id] as number) >>> 0);
    return `0x${((upper << 32n) | lower).toString(16)}`;
  }

  #idOf(upper: number, lower: number): number {
    const at = recordOf(this.#records, upper, lower);
    const known = this.#records[at + ID_AT] as number;
    if (known !== 0) return known;
    const id = this.#size;
    this.#size += 1;
    if (id === this.#upper.length) {
      this.#upper = doubledInts(this.#upper);
      this.#lower = doubledInts(this.#lower);
    }
    this.#upper[id] = upper;
    this.#lower[id] = lower;
    write(this.#records, at, upper, lower, id);
    if (this.#size * 2 * RECORD_INTS > this.#records.length) this.#grow();
    return id;
  }

  #grow(): void {
    this.#records = new Int32Array(this.#records.length * 2);
    for (let id = 1; id < this.#size; id += 1) {
      const upper = this.#upper[id] as number;
      const lower = this.#lower[id] as number;
      write(this.#records, recordOf(this.#records, upper, lower), upper, lower, id);
    }
  }
}

/** Where the record of an address is, or the free one where it belongs. */
function recordOf(records: Int32Array, upper: number, lower: number): number {
  const mask = records.length - 1;
  let hash = Math.imul(upper, 0x85ebca77) ^ Math.imul(lower, 0x9e3779b1);
  hash ^= hash >>> 15;
  let at = (hash << LG_RECORD_INTS) & mask;
  while (records[at + ID_AT] !== 0 && (records[at + LOWER_AT] !== lower || records[at] !== upper)) {
    at = (at + RECORD_INTS) & mask;
  }
  return at;
}

function write(records: Int32Array, at: number, upper: number, lower: number, id: number): void {
  records[at] = upper;
  records[at + LOWER_AT] = lower;
  records[at + ID_AT] = id;
}
