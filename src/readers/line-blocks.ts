import { Failure } from '../failure.ts';
import type { Bytes } from '../units.ts';
import { PADDING_BYTES } from './frame-interner.ts';

/** Whole lines of a text, in place. Valid only during the call that gets it. */
export interface LineBlock {
  readonly bytes: Buffer;
  /** The same bytes; readable some bytes past `end`, where leftovers of earlier blocks lie that mean nothing. */
  readonly view: DataView;
  /** After the last line, which ends in a newline unless it is the last of the text. */
  readonly end: number;
}

export const BLOCK_BYTES: Bytes = 4 << 20;
/** Of a text whose length nobody told. */
const FIRST_BLOCK_BYTES: Bytes = 256 << 10;
/** No real stack comes near it; a file without newlines is not a text of stacks. */
const LONGEST_LINE_BYTES: Bytes = 256 << 20;
const LEAST_BLOCK_BYTES: Bytes = 16 << 10;
const NEWLINE = 0x0a;

/** Cuts chunks of any size into blocks of whole lines. */
export class LineBlocks {
  readonly #onBlock: (block: LineBlock) => void;
  #bytes: Buffer;
  #view: DataView;
  #used = 0;

  /** The length of the text only saves room. */
  constructor(onBlock: (block: LineBlock) => void, textBytes: Bytes = FIRST_BLOCK_BYTES) {
    this.#onBlock = onBlock;
    const blockBytes = Math.min(BLOCK_BYTES, Math.max(LEAST_BLOCK_BYTES, textBytes + 1));
    this.#bytes = Buffer.allocUnsafeSlow(blockBytes + PADDING_BYTES);
    this.#view = new DataView(this.#bytes.buffer);
  }

  feed(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      const room = this.room();
      const part = chunk.subarray(at, at + room.length);
      room.set(part);
      this.filled(part.length);
      at += part.length;
    }
  }

  /** Where the next bytes may be written, followed by `filled`: saves a copy. Never empty. */
  room(): Uint8Array {
    return this.#bytes.subarray(this.#used, this.#bytes.length - PADDING_BYTES);
  }

  filled(length: Bytes): void {
    const used = this.#used + length;
    const newline = length === 0 ? -1 : this.#bytes.lastIndexOf(NEWLINE, used - 1);
    // What was there before has no newline.
    if (newline < this.#used) {
      this.#used = used;
      if (used === this.#bytes.length - PADDING_BYTES) this.#grow();
      return;
    }
    this.#onBlock({ bytes: this.#bytes, view: this.#view, end: newline + 1 });
    this.#bytes.copyWithin(0, newline + 1, used);
    this.#used = used - newline - 1;
  }

  /** The text is over: its last line may lack a newline. */
  end(): void {
    if (this.#used > 0) this.#onBlock({ bytes: this.#bytes, view: this.#view, end: this.#used });
    this.#used = 0;
  }

  #grow(): void {
    if (this.#used > LONGEST_LINE_BYTES) {
      throw new Failure('not-a-profile', {
        what: 'This does not look like a profile',
        why: `It has a line of more than ${LONGEST_LINE_BYTES >> 20} MiB`,
        fix: 'Give collapsed stacks, a jemalloc heap dump, or a pprof profile',
      });
    }
    const larger = Buffer.allocUnsafeSlow(this.#used * 2 + PADDING_BYTES);
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
