import { describe, expect, it } from 'vitest';
import { svgToPng } from '../../../src/png.ts';
import type { Profile } from '../../../src/profile/profile.ts';
import { TreeBuilder } from '../../../src/profile/tree-builder.ts';
import { svgFile } from '../../../src/svg-file.ts';
import { pictureSvg } from '../../../templates/svg/picture.ts';
import { flame } from '../../support/pictures.ts';
import { profileOf } from '../../support/profile-of.ts';
import { drawnTexts, overlaps } from '../../support/svg-shapes.ts';

/** However large the profile is, its picture is not. */

const MOST_SVG_BYTES = 60_000;
const MOST_FILE_BYTES = 4_000_000;
const MOST_PNG_BYTES = 300_000;

function profileFrom(add: (builder: TreeBuilder) => void): Profile {
  const builder = new TreeBuilder();
  add(builder);
  return { ...profileOf({}), tree: builder.build(), stackCount: 1 };
}

/** A stack so deep that anything recursive would end. */
const deep = profileFrom((builder) => {
  builder.add(
    Array.from({ length: 20_000 }, (_, depth) => `DB::frame${depth}(int)`),
    { bytes: 1000, count: 1 },
  );
});
const thousandDeep = profileFrom((builder) => {
  for (let leaf = 0; leaf < 3; leaf += 1) {
    const stack = Array.from({ length: 1000 }, (_, depth) => `frame${depth}`);
    builder.add([...stack, `leaf${leaf}`], { bytes: 100 });
  }
});
const wide = profileFrom((builder) => {
  for (let child = 0; child < 50_000; child += 1) builder.add(['main', `f${child}`], { bytes: 7 });
});
const oneFrame = profileOf({ main: 1 });
const longNames = profileOf({
  [`DB::${'Very<Long>::'.repeat(9000)}name(int)`]: 60,
  [`${'x'.repeat(100_000)}`]: 40,
});
/** 100,000 stacks of a few thousand functions. */
const many = profileFrom((builder) => {
  let seed = 7;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  for (let stack = 0; stack < 100_000; stack += 1) {
    const frames = Array.from(
      { length: 4 + next(8) },
      (_, depth) => `DB::f${next(3 + depth * depth * 40)}()`,
    );
    builder.add(frames, { bytes: 1 + next(1 << 20), count: 1 });
  }
});

describe.each(Object.entries({ deep, thousandDeep, wide, oneFrame, longNames, many }))(
  'the picture of a profile that is %s',
  (_, profile) => {
    it.each([false, true])('is small and readable (raw: %s)', (raw) => {
      const svg = pictureSvg({ ...flame, profile, raw });
      const texts = drawnTexts(svg);
      expect(svg.length).toBeLessThan(MOST_SVG_BYTES);
      expect(texts.length).toBeGreaterThan(8);
      expect(overlaps(texts)).toEqual([]);
      const { png, widthPx, heightPx } = svgToPng(svg);
      expect(heightPx / widthPx).toBeLessThanOrEqual(0.75);
      expect(png.length).toBeLessThan(MOST_PNG_BYTES);
    });

    it('is a file that a browser can open', () => {
      expect(svgFile({ ...flame, profile }).length).toBeLessThan(MOST_FILE_BYTES);
    });
  },
);

describe('a picture', () => {
  it.each([0, 800, 1e9, Number.NaN])('is refused when it is to be %s px wide', (widthPx) => {
    expect(() => pictureSvg({ ...flame, widthPx })).toThrow(
      expect.objectContaining({ name: 'Failure', kind: 'usage' }),
    );
  });
});
