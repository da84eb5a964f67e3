import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { indexedPng } from './indexed-png.ts';
import { isPlain } from './plain-text.ts';
import type { Px } from './units.ts';

/** The bundled fonts; system fonts are off, so that a picture is the same on every machine. */
const FONT_FILES = fontFiles(['regular', 'bold']);
/** The same glyphs in files of a third: the renderer reads a file again for nearly every letter. */
const PLAIN_FONT_FILES = fontFiles(['regular-plain', 'bold-plain']);
const FONT_FAMILY = 'Roboto Condensed';

export interface Png {
  readonly png: Uint8Array;
  readonly widthPx: Px;
  readonly heightPx: Px;
}

/** Draws an SVG of ours, blocking this thread: call it in a thread of its own, or in a process that does nothing else. */
export function svgToPng(svg: string): Png {
  const { Resvg } = loadResvg();
  const image = new Resvg(svg, {
    font: {
      loadSystemFonts: false,
      fontFiles: isPlain(svg) ? PLAIN_FONT_FILES : FONT_FILES,
      defaultFontFamily: FONT_FAMILY,
    },
  }).render();
  const size = { widthPx: image.width, heightPx: image.height };
  const png = indexedPng({ bytes: image.pixels, ...size }) ?? image.asPng();
  return { png: new Uint8Array(png), ...size };
}

function fontFiles(names: readonly string[]): string[] {
  return names.map((name) =>
    fileURLToPath(import.meta.resolve(`#templates/svg/fonts/memprof-${name}.ttf`)),
  );
}

/** Loaded when the first picture is drawn: the shell often needs none. */
function loadResvg(): typeof import('@resvg/resvg-js') {
  return createRequire(import.meta.url)('@resvg/resvg-js') as typeof import('@resvg/resvg-js');
}
