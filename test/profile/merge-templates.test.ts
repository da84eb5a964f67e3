import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeTemplates } from '../../src/profile/merge-templates.ts';
import { foldedOf } from '../support/profile-of.ts';
import { anyTree, sumsOf, treeOf } from '../support/tree-of.ts';

test('variants of a template and overloads become one frame', () => {
  const tree = treeOf([
    'DB::V<int>::insert(int);DB::f() 1',
    'DB::V<long>::insert();DB::f(long) 2',
    ' 4',
  ]);
  expect(foldedOf({ tree: mergeTemplates(tree) })).toEqual([' 4', 'DB::V<…>::insert;DB::f 3']);
});

test('no byte is lost', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      expect(sumsOf(mergeTemplates(tree))).toEqual(sumsOf(tree));
    }),
  );
});
