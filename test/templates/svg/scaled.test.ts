import { readFileSync, writeFileSync } from 'node:fs';
import { Resvg } from '@resvg/resvg-js';
import { describe, expect, it } from 'vitest';
import { svgToPng } from '../../../src/png.ts';
import { pictureSvg } from '../../../templates/svg/picture.ts';
import { pictures } from '../../support/pictures.ts';
import { type DrawnText, drawnTexts } from '../../support/svg-shapes.ts';

/** What a chat makes of a picture in a narrow window. */
const CHAT_PX = 720;
const PICTURE_PX = 1600;
const SCALE = CHAT_PX / PICTURE_PX;
/** Of 255: libraries for other processors round otherwise. */
const TOLERANCE = 8;

describe.each(['flame', 'diff'])('the picture "%s" in a chat of 720 px', (name) => {
  const svg = pictureSvg(pictures[name]!);
  const { png, widthPx, heightPx } = svgToPng(svg);
  const scaled = scaledTo(CHAT_PX, { png, shape: heightPx / widthPx });

  it('looks as it did', () => {
    const golden = new URL(`../../golden/png/${name}-720.png`, import.meta.url);
    if (process.env.UPDATE_PICTURES === '1') writeFileSync(golden, scaled.asPng());
    const before = scaledTo(CHAT_PX, { png: readFileSync(golden), shape: heightPx / widthPx });
    expect([scaled.width, scaled.height]).toEqual([before.width, before.height]);
    const now = scaled.pixels;
    const differing = before.pixels.filter((byte, at) => Math.abs(byte - now[at]!) > TOLERANCE);
    expect(differing.length).toBe(0);
  });

  it('has ground to be seen between labels side by side', () => {
    const pairs = neighbours(drawnTexts(svg));
    expect(pairs.length).toBeGreaterThan(10);
    const touching = pairs.filter(([left, right]) => !hasEmptyColumn(scaled, left, right));
    expect(touching.map(([left, right]) => `${left.text} | ${right.text}`)).toEqual([]);
  });
});

type Image = ReturnType<Resvg['render']>;

function scaledTo(
  widthPx: number,
  { png, shape }: { readonly png: Uint8Array; readonly shape: number },
): Image {
  const size = `width="${widthPx}" height="${Math.round(widthPx * shape)}"`;
  const href = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  return new Resvg(
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="${href}"/></svg>`,
  ).render();
}

/** Texts that follow each other on one line. */
function neighbours(texts: readonly DrawnText[]): readonly (readonly [DrawnText, DrawnText])[] {
  return linesOf(texts).flatMap((line) => {
    const sorted = line.toSorted((a, b) => a.left - b.left);
    return sorted.slice(1).map((right, index) => [sorted[index]!, right] as const);
  });
}

/** Whether a column of pixels between both is of one colour from top to bottom: no letter is in it. */
function hasEmptyColumn({ pixels, width }: Image, left: DrawnText, right: DrawnText): boolean {
  const top = Math.ceil(right.top * SCALE);
  const bottom = Math.floor(right.bottom * SCALE);
  const isEmpty = (x: number) => {
    for (let y = top; y < bottom; y++) {
      for (const channel of [0, 1, 2]) {
        const first = pixels[(top * width + x) * 4 + channel]!;
        if (Math.abs(pixels[(y * width + x) * 4 + channel]! - first) > TOLERANCE) return false;
      }
    }
    return true;
  };
  for (let x = Math.floor(left.right * SCALE); x < right.left * SCALE; x++) {
    if (isEmpty(x)) return true;
  }
  return false;
}

function linesOf(texts: readonly DrawnText[]): readonly (readonly DrawnText[])[] {
  const lines = new Map<number, DrawnText[]>();
  for (const text of texts) {
    const line = lines.get(Math.round(text.bottom)) ?? [];
    line.push(text);
    lines.set(Math.round(text.bottom), line);
  }
  return [...lines.values()];
}
