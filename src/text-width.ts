import { glyphWidths } from './glyph-widths.ts';
import type { Px } from './units.ts';

/** Measures and cuts text set in the bundled font, by its own glyph widths; kerning is off in pictures. */

export type FontWeight = keyof typeof glyphWidths;

export interface FontSetting {
  readonly sizePx: Px;
  readonly weight?: FontWeight;
}

const UNITS_PER_EM = 2048;
/** Stands for a character that the font does not have. */
const MISSING = '\ufffd';
/** Signs that the font does not have, and those that are read the same. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '→': '›',
  '←': '‹',
  '⇒': '›',
  '\u2212': '-',
};
/** Longer than any picture is wide; names of 100 kB exist. */
const LONGEST_TEXT = 2000;

const tables = {
  regular: tableOf('regular'),
  bold: tableOf('bold'),
} satisfies Record<FontWeight, ReadonlyMap<number, number>>;

/** How wide a text is. It must have gone through `drawable`. */
export function textWidth(text: string, { sizePx, weight = 'regular' }: FontSetting): Px {
  let units = 0;
  for (const character of text) units += unitsOf(character, weight);
  return (units * sizePx) / UNITS_PER_EM;
}

/**
 * The text as it can be drawn: control characters become blanks, what the font does not have becomes a visible mark
 * (a run of them one mark), directions are not turned. Cut to a length that no picture needs.
 */
export function drawable(text: string): string {
  return [...text.slice(0, LONGEST_TEXT)]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return ' ';
      if (tables.regular.has(code)) return character;
      return LOOK_ALIKES[character] ?? MISSING;
    })
    .join('')
    .replace(new RegExp(`${MISSING}+`, 'g'), MISSING);
}

/** The end of the text that fits, with … before it: the end tells C++ names apart. Empty when hardly anything fits. */
export function fitEnd(text: string, widthPx: Px, font: FontSetting): string {
  const characters = [...text];
  if (textWidth(text, font) <= widthPx) return text;
  const room = widthPx - textWidth('…', font);
  let width = 0;
  let from = characters.length;
  while (from > 0) {
    width += textWidth(characters[from - 1] as string, font);
    if (width > room) break;
    from -= 1;
  }
  const kept = characters.length - from;
  return kept < FEWEST_CHARACTERS ? '' : `…${characters.slice(from).join('')}`;
}

/** The beginning of the text that fits, with … behind it: for sentences. */
export function fitStart(text: string, widthPx: Px, font: FontSetting): string {
  if (textWidth(text, font) <= widthPx) return text;
  const room = widthPx - textWidth('…', font);
  let width = 0;
  let kept = '';
  for (const character of text) {
    width += textWidth(character, font);
    if (width > room) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** Less says nothing. */
const FEWEST_CHARACTERS = 5;

function unitsOf(character: string, weight: FontWeight): number {
  const table = tables[weight];
  return table.get(character.codePointAt(0) ?? 0) ?? table.get(0xfffd) ?? UNITS_PER_EM;
}

function tableOf(weight: FontWeight): ReadonlyMap<number, number> {
  const table = new Map<number, number>();
  for (const [first = 0, ...widths] of glyphWidths[weight]) {
    for (const [index, width] of widths.entries()) table.set(first + index, width);
  }
  return table;
}
