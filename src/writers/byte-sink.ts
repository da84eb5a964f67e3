import type { Bytes } from '../units.ts';

/** Puts a file together from pieces; a string of V8 ends at half a gigabyte, this does not. */
export class ByteSink {
  #bytes = Buffer.allocUnsafeSlow(1 << 16);
  #used: Bytes = 0;

  get length(): Bytes {
    return this.#used;
  }

  text(text: string): void {
    // A UTF-16 unit becomes three bytes at most.
    this.#reserve(text.length * 3);
    this.#used += this.#bytes.write(text, this.#used, 'utf8');
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** Everything so far, valid until something is added. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#used);
  }

  /** Begins anew in the same room. */
  clear(): void {
    this.#used = 0;
  }

  #reserve(length: Bytes): void {
    const needed = this.#used + length;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }
}
