import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallTree } from '../../src/profile/call-tree.ts';
import { diffTrees } from '../../src/profile/diff.ts';
import { subtractBase } from '../../src/profile/subtract-base.ts';
import { foldedOf, profileOf } from '../support/profile-of.ts';
import { anyTree, sumsOf, treeOf } from '../support/tree-of.ts';

test('says what grew, shrank, is new and is gone, the largest change first', () => {
  const diff = diffTrees(
    treeOf(['main;insert 10', 'main;select 30', 'main;merge 7', 'main;idle 1']),
    treeOf(['main;insert 15', 'main;select 20', 'main;dictionary 9', 'main;idle 1']),
  );
  expect(
    diff.rows.map(({ name, before, after, change, kind }) => [name, before, after, change, kind]),
  ).toEqual([
    ['select', 30, 20, -10, 'shrunk'],
    ['dictionary', 0, 9, 9, 'new'],
    ['merge', 7, 0, -7, 'gone'],
    ['insert', 10, 15, 5, 'grown'],
  ]);
  expect([diff.beforeTotal, diff.afterTotal]).toEqual([48, 45]);
});

test('frames are compared by name, whatever their ids', () => {
  const diff = diffTrees(treeOf(['b;a 1', 'a;b 2']), treeOf(['a;b 2', 'b;a 1']));
  expect(diff.rows).toEqual([]);
});

test('warns when little of the bytes is in functions that both sides know', () => {
  const before = treeOf(['a 89', '0x7f001000 11']);
  const after = treeOf(['a 89', '0x7fee2000 11']);
  const diff = diffTrees(before, after);
  expect(diff.matchedShare).toBeCloseTo(0.89);
  expect(diff.isDoubtful).toBe(true);
  expect(diffTrees(before, before)).toMatchObject({ matchedShare: 1, isDoubtful: false });
});

test('by count, objects are compared', () => {
  const before = treeOf(['f 100'], () => ({ count: 1 }));
  const after = treeOf(['f 100'], () => ({ count: 4 }));
  expect(diffTrees(before, after, 'count').rows).toMatchObject([
    { name: 'f', before: 1, after: 4 },
  ]);
});

test('a change rests on the samples of both sides', () => {
  expect(diffTrees(treeOf(['f 1']), treeOf(['f 2'])).rows).toMatchObject([
    { samples: 2, isWeak: true },
  ]);
});

test('two empty profiles are equal', () => {
  expect(diffTrees(treeOf([]), treeOf([]))).toMatchObject({
    rows: [],
    matchedShare: 1,
    beforeTotal: 0,
  });
});

test('diff(a, a) is empty', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      const diff = diffTrees(tree, tree);
      expect(diff.rows).toEqual([]);
      expect([...diff.beforeSelf]).toEqual([...diff.afterSelf]);
    }),
  );
});

test('diff(a, b) is diff(b, a) with the signs turned', () => {
  const opposite = {
    grown: 'shrunk',
    shrunk: 'grown',
    new: 'gone',
    gone: 'new',
    same: 'same',
  } as const;
  fc.assert(
    fc.property(anyTree, anyTree, (a, b) => {
      const there = diffTrees(a, b).rows.map(({ name, change, kind }) => ({ name, change, kind }));
      const back = diffTrees(b, a).rows.map(({ name, change, kind }) => ({
        name,
        change: -change,
        kind: opposite[kind],
      }));
      expect(back).toEqual(there);
    }),
  );
});

test('changes add up to the difference of the totals, with what has no frame', () => {
  fc.assert(
    fc.property(anyTree, anyTree, (a, b) => {
      const { rows, beforeTotal, afterTotal } = diffTrees(a, b);
      const frameless = (b.selfBytes[0] as number) - (a.selfBytes[0] as number);
      const changed = rows.reduce((sum, { change }) => sum + change, frameless);
      expect(changed).toBe(afterTotal - beforeTotal);
      expect([beforeTotal, afterTotal]).toEqual([sumsOf(a).bytes, sumsOf(b).bytes]);
    }),
  );
});

test('a base is taken away stack by stack, and what shrank stays negative', () => {
  const after = profileOf({ 'main;insert': 15, 'main;select': 20 });
  const base = profileOf({ 'main;insert': 10, 'main;select': 30, 'main;merge': 7 });
  const rest = subtractBase(after, base);
  expect(foldedOf(rest)).toEqual(['main;insert 5', 'main;select -10', 'main;merge -7']);
  expect(rest.totalBytes).toBe(-12);
  expect(rest.stackCount).toBe(3);
});

test('taking a profile away from itself leaves nothing', () => {
  fc.assert(
    fc.property(anyTree, (tree: CallTree) => {
      const profile = { ...profileOf({}), tree, totalBytes: sumsOf(tree).bytes };
      const rest = subtractBase(profile, profile);
      expect(foldedOf(rest)).toEqual([]);
      expect(rest.totalBytes).toBe(0);
    }),
  );
});
