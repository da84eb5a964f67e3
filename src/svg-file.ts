import { readFileSync } from 'node:fs';
import type { BrowserAssets } from '../templates/svg/browser-card.ts';
import { browserSvg } from '../templates/svg/picture.ts';
import type { PictureRequest } from './picture-request.ts';

/**
 * A picture as an SVG file that needs nothing else: fonts and script are inside. Flame graphs can be zoomed into and
 * searched in a browser.
 */
export function svgFile(request: PictureRequest): string {
  assets ??= readAssets();
  return browserSvg(request, assets);
}

let assets: BrowserAssets | undefined;

function readAssets(): BrowserAssets {
  const faces = (['regular', 'bold'] as const).map((weight) => {
    const font = readFileSync(asset(`fonts/memprof-${weight}.ttf`)).toString('base64');
    return `@font-face { font-family: 'Roboto Condensed'; font-weight: ${weight === 'bold' ? 700 : 400};
  src: url('data:font/ttf;base64,${font}'); }`;
  });
  return { style: faces.join('\n'), script: readFileSync(asset('flame-browser.js'), 'utf8') };
}

function asset(name: string): URL {
  return new URL(import.meta.resolve(`#templates/svg/${name}`));
}
