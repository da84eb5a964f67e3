import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { svgToPng } from '../src/png.ts';
import { pictureSvg } from '../templates/svg/picture.ts';
import { pictures } from './support/pictures.ts';

const { Resvg } = createRequire(import.meta.url)(
  '@resvg/resvg-js',
) as typeof import('@resvg/resvg-js');

const bundledFont = {
  loadSystemFonts: false,
  fontFiles: ['regular', 'bold'].map((weight) =>
    fileURLToPath(import.meta.resolve(`#templates/svg/fonts/memprof-${weight}.ttf`)),
  ),
  defaultFontFamily: 'Roboto Condensed',
};

describe('svgToPng', () => {
  it('makes the same bytes of the same picture', () => {
    const svg = pictureSvg(pictures.flame!);
    expect(svgToPng(svg).png).toEqual(svgToPng(svg).png);
  });

  it('uses no font but the bundled one', () => {
    const svg = (family: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="60"><rect width="300" height="60" fill="#fff"/><text y="40" font-size="30" font-family="${family}">executeOnBlock</text></svg>`;
    expect(svgToPng(svg('DejaVu Sans')).png).toEqual(svgToPng(svg('Roboto Condensed')).png);
  });

  it('draws plain text alike with the small fonts and with those of all characters', () => {
    const svg = (words: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="160"><rect width="900" height="160" fill="#fff"/><text y="60" font-size="24">${words}</text><text y="120" font-size="24" font-weight="700">${words}</text></svg>`;
    const words = 'DB::HashTable&lt;…&gt;::resize · a › b ≈ 1 ± 2 × 3 – \ufffd';
    expect(svgToPng(svg(words)).png).toEqual(svgToPng(`${svg(words)}<!-- Ж -->`).png);
  });

  it('draws what has no glyph as a visible mark', () => {
    const picture = (text: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><rect width="200" height="60" fill="#fff"/><text y="40" font-size="30">${text}</text></svg>`;
    expect(svgToPng(picture('\ufffd')).png).not.toEqual(svgToPng(picture('')).png);
  });

  it.each(['flame', 'curve', 'ledger', 'diff'])('shows "%s" as the renderer drew it', (name) => {
    const svg = pictureSvg(pictures[name]!);
    const { png, widthPx, heightPx } = svgToPng(svg);
    const drawn = new Resvg(svg, { font: bundledFont }).render().pixels;
    const shown = new Resvg(imageOf(png, widthPx, heightPx)).render().pixels;
    const errors = drawn.map((byte, at) => Math.abs(byte - shown[at]!));
    // Where there are more than 256 colours, some edges of letters are a shade lighter or darker.
    expect(errors.reduce((most, error) => Math.max(most, error), 0)).toBeLessThan(48);
    expect(errors.filter((error) => error > 0).length / errors.length).toBeLessThan(0.001);
  });
});

function imageOf(png: Uint8Array, widthPx: number, heightPx: number): string {
  const href = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const size = `width="${widthPx}" height="${heightPx}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}><image ${size} image-rendering="optimizeSpeed" xlink:href="${href}"/></svg>`;
}
