import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { drawable, fitEnd, fitStart, textWidth } from '../src/text-width.ts';
import { escapeXml } from '../templates/svg/xml.ts';

const { Resvg } = createRequire(import.meta.url)(
  '@resvg/resvg-js',
) as typeof import('@resvg/resvg-js');
const fontFiles = ['regular', 'bold'].map((weight) =>
  fileURLToPath(import.meta.resolve(`#templates/svg/fonts/memprof-${weight}.ttf`)),
);

/** Where the text of a picture begins and ends, as the renderer itself says. */
function drawnExtent(text: string, sizePx: number, weight: number) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="100" font-family="Roboto Condensed"><text x="100" y="60" font-size="${sizePx}" font-weight="${weight}">${escapeXml(text)}</text></svg>`;
  const font = { loadSystemFonts: false, fontFiles, defaultFontFamily: 'Roboto Condensed' };
  return new Resvg(svg, { font }).getBBox()!;
}

const texts = [
  'DB::Aggregator::executeOnBlock',
  'HashTable<…>::resize 21%',
  'WAVE To, Ty. fi fl ffi ‘AV’',
  'операция · Größe · λογος',
  '±×≈›“”–…\ufffd',
  '1,234.56 GiB (×2.4)',
];

describe('textWidth', () => {
  it.each(texts)('agrees with the renderer: %s', (text) => {
    expect(drawable(text)).toBe(text);
    for (const [weight, css] of [
      ['regular', 400],
      ['bold', 700],
    ] as const) {
      // Marks at both ends have no side bearings to speak of, so that the extent is the advance.
      const extent = drawnExtent(`|${text}|`, 24, css);
      const width = textWidth(`|${text}|`, { sizePx: 24, weight });
      expect(Math.abs(extent.width - width)).toBeLessThan(0.25 * 24);
      const without = drawnExtent('||', 24, css);
      expect(extent.width - without.width).toBeCloseTo(textWidth(text, { sizePx: 24, weight }), 0);
    }
  });
});

describe('drawable', () => {
  it.each([
    ['a\u0000b\tc\u001b[31m\u0085d', 'a b c [31m d'],
    ['內存 x 🔥🔥 y', '\ufffd x \ufffd y'],
    ['\ud800 lone', '\ufffd lone'],
    ['\u202eabc', '\ufffdabc'],
    ['before → after', 'before › after'],
  ])('of %j is %j', (text, drawn) => {
    expect(drawable(text)).toBe(drawn);
  });

  it('cuts what no picture is wide enough for', () => {
    expect(drawable('x'.repeat(100_000)).length).toBeLessThanOrEqual(2000);
  });
});

describe('fitEnd and fitStart', () => {
  const font = { sizePx: 24 };

  it('keep what fits as it is', () => {
    expect(fitEnd('short', 500, font)).toBe('short');
    expect(fitStart('short', 500, font)).toBe('short');
  });

  it('cut the one at its beginning, the other at its end, to no more than the room', () => {
    const text = 'Aggregator::executeOnBlock';
    expect(fitEnd(text, 150, font)).toMatch(/^….+OnBlock$/);
    expect(fitStart(text, 150, font)).toMatch(/^Aggregator.*…$/);
    for (const cut of [fitEnd, fitStart]) {
      expect(textWidth(cut(text, 150, font), font)).toBeLessThanOrEqual(150);
    }
  });

  it('leave nothing where hardly anything would be left', () => {
    expect(fitEnd('Aggregator::execute', 40, font)).toBe('');
  });
});
