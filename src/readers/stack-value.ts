/** The number at the end of a line of collapsed stacks, and where the stack before it ends. */
export class StackValueReader {
  value = 0;
  /** After the last byte of the stack. */
  stackEnd = 0;
  /** Numbers so far that a double cannot hold exactly. */
  roundedCount = 0;

  /** False when the line does not end in a number after a blank. */
  read(bytes: Buffer, start: number, end: number): boolean {
    let at = end;
    let value = 0;
    let factor = 1;
    while (at > start) {
      const digit = (bytes[at - 1] as number) - ZERO;
      if (digit < 0 || digit > 9) break;
      value += digit * factor;
      factor *= 10;
      at -= 1;
    }
    const isPlain = at < end && at > start && end - at <= EXACT_DIGITS && isBlank(bytes[at - 1]);
    if (!isPlain) return this.#readUncommon(bytes, start, end);
    this.value = value;
    this.stackEnd = endWithoutBlanks(bytes, start, at - 1);
    return true;
  }

  /** Fractions, signs, powers of ten and numbers of many digits. */
  #readUncommon(bytes: Buffer, start: number, end: number): boolean {
    let at = end;
    while (at > start && !isBlank(bytes[at - 1])) at -= 1;
    if (at === start || end - at > LONGEST_NUMBER) return false;
    const text = bytes.toString('latin1', at, end);
    if (!NUMBER.test(text)) return false;
    this.value = Number(text);
    // Sums of them must be numbers as well.
    if (!(Math.abs(this.value) < BEYOND_ALL_MEASURE)) return false;
    if (WHOLE_NUMBER.test(text) && BigInt(this.value) !== BigInt(text)) this.roundedCount += 1;
    this.stackEnd = endWithoutBlanks(bytes, start, at - 1);
    return true;
  }
}

const ZERO = 0x30;
/** Of this many digits each number is a double. */
const EXACT_DIGITS = 15;
const LONGEST_NUMBER = 400;
const BEYOND_ALL_MEASURE = 1e100;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const WHOLE_NUMBER = /^-?\d+$/;

export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09;
}

export function endWithoutBlanks(bytes: Buffer, start: number, from: number): number {
  let end = from;
  while (end > start && isBlank(bytes[end - 1])) end -= 1;
  return end;
}
