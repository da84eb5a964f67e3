import type { SkippedLine } from '../profile/profile.ts';
import type { Count } from '../units.ts';

const SHOWN_LINES = 3;
const SHOWN_CHARACTERS = 120;
/** Four bytes a character at most. */
const DECODED_BYTES = SHOWN_CHARACTERS * 4;

/** And what looks like a blank but is none: who looks at a line must see why it was not read. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff\ufffe\uffff]|(?! )\p{Zs}/gu;

/** Counts what was left out of an input, and keeps the first few lines to show. */
export class SkippedLines {
  #count = 0;
  readonly #first: SkippedLine[] = [];

  get count(): Count {
    return this.#count;
  }

  get first(): readonly SkippedLine[] {
    return this.#first;
  }

  add(lineNumber: Count, line: Uint8Array, why: string): void {
    this.#count += 1;
    if (this.#first.length >= SHOWN_LINES) return;
    this.#first.push({ lineNumber, text: readable(line), why });
  }
}

/** A line as it may be shown anywhere: cut, and without what could move a cursor or turn a text around. */
export function readable(line: Uint8Array): string {
  const text = new TextDecoder()
    .decode(line.subarray(0, DECODED_BYTES))
    .replaceAll('\t', ' ')
    .replace(UNPRINTABLE, '�');
  const characters = [...text];
  const isCut = characters.length > SHOWN_CHARACTERS || line.length > DECODED_BYTES;
  return isCut ? `${characters.slice(0, SHOWN_CHARACTERS).join('')}…` : text;
}
