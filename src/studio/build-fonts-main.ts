/**
 * `npm run fonts`: cuts the bundled font to the characters that pictures use and writes the table of glyph widths that
 * layouts measure with. A small file matters: resvg reads the file again for almost every glyph it draws. So there is
 * one of all characters, and a smaller one for pictures of plain text alone. Kerning and ligatures are left out, so that
 * a text is exactly as wide as its glyphs.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import opentype from 'opentype.js';
import { isPlain } from '../plain-text.ts';
import { withoutTables } from './sfnt.ts';

const WEIGHTS = { regular: '400Regular', bold: '700Bold' } as const;

/** ASCII, Latin-1 and Latin Extended-A, Greek and Cyrillic letters, and the signs that pictures draw. */
const RANGES = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x391, 0x3c9],
  [0x400, 0x45f],
  [0x2010, 0x2026],
  [0x2030, 0x203a],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
  [0x2248, 0x2265],
  [0xfffd, 0xfffd],
] as const;

/** Kerning, ligatures, hints for screens of few pixels, and what only fonts for sale need. */
const DROPPED_TABLES = 'GPOS GSUB GDEF kern DSIG STAT meta fpgm prep cvt_ gasp hdmx VDMX LTSH'
  .replace('_', ' ')
  .split(/ (?=\S)/);

const require = createRequire(import.meta.url);
/** Ships without types. */
const subsetFont = require('subset-font') as (
  font: Buffer,
  text: string,
  options: { readonly targetFormat: 'sfnt' },
) => Promise<Uint8Array>;
const widths: string[] = [];
for (const [weight, folder] of Object.entries(WEIGHTS)) {
  const file = `RobotoCondensed_${folder}.ttf`;
  const source = await readFile(
    require.resolve(`@expo-google-fonts/roboto-condensed/${folder}/${file}`),
  );
  const wanted = RANGES.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
  const whole = opentype.parse(toArrayBuffer(source));
  const drawn = wanted.filter((code) => whole.charToGlyphIndex(String.fromCodePoint(code)) > 0);
  const all = String.fromCodePoint(...drawn);
  await writeFont(source, all, weight);
  await writeFont(source, [...all].filter(isPlain).join(''), `${weight}-plain`);
  widths.push(`  ${weight}: [\n${runsOf(whole, drawn)}  ],\n`);
}
const text = `/** Made by \`npm run fonts\`; do not edit. Advance widths in units of 1/2048 em: [first code point, widths …]. */
export const glyphWidths: Readonly<
  Record<'regular' | 'bold', readonly (readonly number[])[]>
> = {
${widths.join('')}};
`;
await writeFile(new URL('../../../src/glyph-widths.ts', import.meta.url), text);
await writeFile(
  new URL(import.meta.resolve('#templates/svg/fonts/LICENSE.txt')),
  await readFile(require.resolve('@expo-google-fonts/roboto-condensed/LICENSE_FONT')),
);

async function writeFont(source: Buffer, characters: string, name: string): Promise<void> {
  const cut = await subsetFont(source, characters, { targetFormat: 'sfnt' });
  const small = withoutTables(cut, DROPPED_TABLES);
  await writeFile(new URL(import.meta.resolve(`#templates/svg/fonts/memprof-${name}.ttf`)), small);
  process.stdout.write(`${name}: ${[...characters].length} glyphs, ${small.length} bytes\n`);
}

/** Runs of neighbouring code points. */
function runsOf(font: opentype.Font, codes: readonly number[]): string {
  const runs: number[][] = [];
  let next = -1;
  for (const code of codes) {
    if (code !== next) runs.push([code]);
    const glyph = font.charToGlyph(String.fromCodePoint(code));
    runs.at(-1)?.push(Math.round(((glyph.advanceWidth ?? 0) * 2048) / font.unitsPerEm));
    next = code + 1;
  }
  return runs.map((run) => `    [${run.join(', ')}],\n`).join('');
}

function toArrayBuffer(buffer: Buffer): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}
