import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldChains } from '../../src/profile/fold-chains.ts';
import { frameName } from '../../src/profile/frame-table.ts';
import { foldedOf } from '../support/profile-of.ts';
import { anyTree, sumsOf, treeOf } from '../support/tree-of.ts';

test('folds a chain into its deepest frame and says how many it hides', () => {
  const { tree, foldedAbove } = foldChains(treeOf(['a;b;c;d 1', 'a;b;c;e 2']));
  expect(foldedOf({ tree })).toEqual(['c;d 1', 'c;e 2']);
  expect([...foldedAbove]).toEqual([0, 2, 0, 0]);
});

test('does not fold what holds something itself', () => {
  expect(foldedOf(foldChains(treeOf(['a;b 1', 'a;b;c 2'])))).toEqual(['b 1', 'b;c 2']);
});

test('keeps the rows above', () => {
  const { tree, foldedAbove } = foldChains(treeOf(['aggregation;a;b;c 1']), 1);
  expect(foldedOf({ tree })).toEqual(['aggregation;c 1']);
  expect([...foldedAbove]).toEqual([0, 0, 2]);
});

test('keeps chains apart that end in the same function', () => {
  const { tree, foldedAbove } = foldChains(treeOf(['a;x 1', 'x 2', 'b;x 4']));
  expect(foldedOf({ tree })).toEqual(['x 1', 'x 2', 'x 4']);
  expect([...foldedAbove]).toEqual([0, 1, 0, 1]);
});

test('the hidden frames are found above the source node', () => {
  const before = treeOf(['a;b;c 1']);
  const { source } = foldChains(before);
  const parent = before.parent[source[1] as number] as number;
  expect(frameName(before.frames, before.frame[parent] as number)).toBe('b');
});

test('no byte moves, and no chain is left', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      const folded = foldChains(tree).tree;
      expect(sumsOf(folded)).toEqual(sumsOf(tree));
      expect(foldChains(folded).tree.nodeCount).toBe(folded.nodeCount);
    }),
  );
});
