/** Control characters, and what turns a line of text around. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff\ufffe\uffff]/gu;

/** A name from a profile as it may be printed: nothing in it can move a cursor or clear a terminal. */
export function shellText(name: string): string {
  return name.replace(UNPRINTABLE, '\ufffd');
}
