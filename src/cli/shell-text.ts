/** Control characters, and what turns a line of text around. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff\ufffe\uffff]/gu;

/** Some names have 100 kB, of which the beginning and the end tell what it is. JSON has all of them. */
const LONGEST_NAME = 400;
const SHOWN_OF_BEGINNING = 150;

/**
 * A name from a profile as it may be printed: nothing in it can move a cursor or clear a terminal, and it does not
 * fill the screen.
 */
export function shellText(name: string): string {
  return shortened(name).replace(UNPRINTABLE, '\ufffd');
}

function shortened(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  const ending = name.slice(SHOWN_OF_BEGINNING - LONGEST_NAME);
  return `${name.slice(0, SHOWN_OF_BEGINNING)}…${ending}`;
}
