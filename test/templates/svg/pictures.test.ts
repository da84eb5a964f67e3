import { describe, expect, it } from 'vitest';
import { svgToPng } from '../../../src/png.ts';
import { pictureSvg } from '../../../templates/svg/picture.ts';
import { themeColours } from '../../../templates/svg/theme.ts';
import { pictures } from '../../support/pictures.ts';
import { contrast, drawnTexts, overlaps } from '../../support/svg-shapes.ts';

/** A chat shows a picture of 1600 px at 720 px or more. */
const LEAST_TEXT_PX = 20;
const MOST_PNG_BYTES = 300_000;

describe.each(Object.entries(pictures))('the picture "%s"', (name, request) => {
  const svg = pictureSvg(request);
  const texts = drawnTexts(svg);
  const size = /width="(\d+)" height="(\d+)"/.exec(svg)!.slice(1).map(Number) as [number, number];

  it('is as it was', async () => {
    await expect(svg).toMatchFileSnapshot(`../../golden/svg/${name}.svg`);
  });

  it('is the same again', () => {
    expect(pictureSvg(structuredClone(request))).toBe(svg);
  });

  it('covers no text by another', () => {
    expect(overlaps(texts)).toEqual([]);
  });

  it('keeps every text inside the picture and inside its box', () => {
    for (const { text, left, right, top, bottom, backdrop } of texts) {
      expect(left, text).toBeGreaterThanOrEqual(backdrop.left);
      expect(right, text).toBeLessThanOrEqual(backdrop.right + 0.5);
      expect(top, text).toBeGreaterThanOrEqual(backdrop.top);
      expect(bottom, text).toBeLessThanOrEqual(Math.min(size[1], backdrop.bottom + 0.5));
    }
  });

  it('has only text that can be read: large enough, in contrast to what it is on', () => {
    const { card } = themeColours[request.theme ?? 'dark'];
    for (const { text, sizePx, fill, backdrop } of texts) {
      const ground = backdrop.fill.startsWith('url(') ? card : backdrop.fill;
      expect(contrast(fill, ground), `${text}: ${fill} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      expect(sizePx, text).toBeGreaterThanOrEqual(LEAST_TEXT_PX);
    }
  });

  it('becomes a PNG of a size and shape that a chat takes', () => {
    const { png, widthPx, heightPx } = svgToPng(svg);
    expect([widthPx, heightPx]).toEqual(size);
    expect(heightPx / widthPx).toBeLessThanOrEqual(0.75);
    expect(png.length).toBeLessThanOrEqual(MOST_PNG_BYTES);
  });
});
