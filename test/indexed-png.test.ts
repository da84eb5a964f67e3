import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { indexedPng } from '../src/indexed-png.ts';

const { Resvg } = createRequire(import.meta.url)(
  '@resvg/resvg-js',
) as typeof import('@resvg/resvg-js');

/** The pixels of a PNG, as another program reads it. */
function decoded(png: Uint8Array, widthPx: number, heightPx: number): Uint8Array {
  const href = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const size = `width="${widthPx}" height="${heightPx}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}><image ${size} image-rendering="optimizeSpeed" xlink:href="${href}"/></svg>`;
  return new Uint8Array(new Resvg(svg).render().pixels);
}

function pixelsOf(
  widthPx: number,
  heightPx: number,
  colourAt: (index: number) => readonly number[],
) {
  const bytes = new Uint8Array(widthPx * heightPx * 4);
  for (let index = 0; index < widthPx * heightPx; index += 1)
    bytes.set([...colourAt(index), 255], index * 4);
  return { bytes, widthPx, heightPx };
}

describe('indexedPng', () => {
  it('keeps every pixel of an image of 256 colours', () => {
    const image = pixelsOf(37, 29, (index) => {
      const colour = index % 256;
      return [colour, (colour * 3) % 256, colour ^ 90];
    });
    expect(decoded(indexedPng(image)!, 37, 29)).toEqual(image.bytes);
  });

  it('keeps the frequent colours of an image of more, and draws the rare ones as near ones', () => {
    const rare = (index: number) => [index >> 4, 100 + (index & 15), 40];
    const image = pixelsOf(100, 100, (index) => (index < 1000 ? rare(index) : [29, 33, 40]));
    const pixels = decoded(indexedPng(image)!, 100, 100);
    expect(pixels.subarray(4000)).toEqual(image.bytes.subarray(4000));
    const errors = pixels.map((byte, at) => Math.abs(byte - image.bytes[at]!));
    expect(Math.max(...errors)).toBeLessThanOrEqual(48);
  });

  it('declines an image of too many colours', () => {
    const image = pixelsOf(100, 100, (index) => [index & 255, index >> 8, 0]);
    expect(indexedPng(image)).toBeUndefined();
  });

  it('is much smaller than what it shows', () => {
    const image = pixelsOf(400, 300, (index) => (index % 400 < 200 ? [1, 2, 3] : [250, 0, 9]));
    expect(indexedPng(image)!.length).toBeLessThan(3000);
  });
});
