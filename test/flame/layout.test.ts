import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FlameLayout, type LayoutOptions, layoutFlame } from '../../src/flame/layout.ts';
import { anyTree, treeOf } from '../support/tree-of.ts';

const options: LayoutOptions = {
  measure: 'bytes',
  leastWidth: 0.01,
  maxRows: 18,
  fixedRows: 1,
  foldsChains: true,
  easyRows: 1,
};

/** Rows of the layout as text, one box as "name@percent of its width". */
function drawing({ boxes }: FlameLayout): readonly string[] {
  const rows: string[][] = [];
  for (const { row, kind, frames, width } of boxes) {
    const name = kind === 'frame' ? frames.join('›') : kind;
    rows[row] = [...(rows[row] ?? []), `${name}@${Math.round(width * 100)}`];
  }
  return rows.map((row) => row.join(' '));
}

const draw = (lines: readonly string[], changes: Partial<LayoutOptions> = {}) =>
  drawing(layoutFlame(treeOf(lines), { ...options, ...changes }));

describe('layoutFlame', () => {
  it('puts the largest child left, and equal ones in the order of their names', () => {
    expect(draw(['b;x 10', 'a;x 10', 'c;x 20', 'c;y 60'])).toEqual([
      'root@100',
      'c@80 a›x@10 b›x@10',
      'y@60 x@20',
    ]);
  });

  it('leaves room to the right of what ends in the node itself', () => {
    expect(draw(['a 40', 'a;b 60'])).toEqual(['root@100', 'a@100', 'b@60']);
  });

  it('sums up what is too thin to be drawn', () => {
    const thin = Array.from({ length: 30 }, (_, index) => `a;thin${index} 0.5`);
    expect(draw(['a;b 85', ...thin])).toEqual(['root@100', 'a@100', 'b@85 other@15']);
  });

  it('folds a chain in which nothing happens, and counts what it folded', () => {
    const layout = layoutFlame(treeOf(['a;b;c;d 60', 'a;b;c;e 40']), options);
    expect(drawing(layout)).toEqual(['root@100', 'a›b›c@100', 'd@60 e@40']);
    expect(layout.foldedFrames).toBe(2);
  });

  it('unfolds the end of chains as far as there are rows to spare', () => {
    const lines = ['a;b;c;d;e 100'];
    expect(draw(lines, { easyRows: 4 })).toEqual(['root@100', 'a›b›c@100', 'd@100', 'e@100']);
    expect(draw(lines, { easyRows: 20 })).toEqual(
      ['root', 'a', 'b', 'c', 'd', 'e'].map((one) => `${one}@100`),
    );
  });

  it('never folds the rows that are fixed, nor anything when asked not to', () => {
    expect(draw(['sub;a;b 100'], { fixedRows: 2 })).toEqual(['root@100', 'sub@100', 'a›b@100']);
    expect(draw(['a;b 100'], { foldsChains: false })).toEqual(['root@100', 'a@100', 'b@100']);
  });

  it('says how many rows it did not draw', () => {
    const deep = Array.from({ length: 50 }, (_, index) => `f${index}`).join(';');
    const layout = layoutFlame(treeOf([`${deep} 1`]), { ...options, foldsChains: false });
    expect(layout).toMatchObject({ rowCount: 18, hiddenRows: 33 });
  });

  it('sums carried columns beside the value, in "other" boxes as well', () => {
    const tree = treeOf(['a;b 90', 'a;thin 0.5', 'a 9.5']);
    const { boxes } = layoutFlame(tree, {
      ...options,
      carried: [tree.selfBytes, tree.selfBytes.map((one) => -one)],
    });
    for (const { value, carried } of boxes) expect(carried).toEqual([value, -value]);
    expect(boxes.map(({ kind }) => kind)).toContain('other');
  });

  it('draws nothing of nothing', () => {
    expect(draw([])).toEqual([]);
    expect(draw(['a 0'])).toEqual([]);
  });

  it('is a picture: boxes lie inside their parent, side by side, and no byte is drawn twice or lost', () => {
    fc.assert(
      fc.property(anyTree, fc.constantFrom(1, 13), (tree, easyRows) => {
        const { boxes, total } = layoutFlame(tree, { ...options, easyRows, leastWidth: 0.05 });
        for (const box of boxes) {
          expect(box.value).toBeCloseTo(box.width * total, 3);
          const row = boxes.filter((other) => other.row === box.row && other !== box);
          for (const other of row) {
            const isApart =
              other.start >= box.start + box.width - 1e-9 ||
              box.start >= other.start + other.width - 1e-9;
            expect(isApart).toBe(true);
          }
          const parent = boxes.find(
            (other) =>
              other.row === box.row - 1 &&
              other.start <= box.start + 1e-9 &&
              other.start + other.width >= box.start + box.width - 1e-9,
          );
          if (box.row > 0) expect(parent).toBeDefined();
        }
      }),
      { numRuns: 200 },
    );
  });
});
