import { readFileSync } from 'node:fs';
import { FONT_FAMILY } from '../templates/svg/card.ts';
import { browserSvg } from '../templates/svg/picture.ts';
import { withStyle } from '../templates/svg/xml.ts';
import type { PictureRequest } from './picture-request.ts';
import { isPlain } from './plain-text.ts';

/**
 * A picture as an SVG file that needs nothing else: fonts and script are inside. Flame graphs can be zoomed into and
 * searched in a browser.
 */
export function svgFile(request: PictureRequest): string {
  const svg = browserSvg(request, asset('flame-browser.js', 'utf8'));
  return withStyle(svg, fontFaces(isPlain(svg) ? '-plain' : ''));
}

function fontFaces(suffix: '' | '-plain'): string {
  return (['regular', 'bold'] as const)
    .map((weight) => {
      const font = asset(`fonts/memprof-${weight}${suffix}.ttf`, 'base64');
      return `@font-face { font-family: '${FONT_FAMILY}'; font-weight: ${weight === 'bold' ? 700 : 400};
  src: url('data:font/ttf;base64,${font}'); }`;
    })
    .join('\n');
}

const known = new Map<string, string>();

/** Read once. */
function asset(name: string, encoding: 'utf8' | 'base64'): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  const text = readFileSync(new URL(import.meta.resolve(`#templates/svg/${name}`)), encoding);
  known.set(name, text);
  return text;
}
