import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pruneSmall } from '../../src/profile/prune.ts';
import { subsystemShares } from '../../src/profile/subsystem-shares.ts';
import { classify } from '../../src/profile/subsystems.ts';
import { foldedOf } from '../support/profile-of.ts';
import { anyTree, sumsOf, treeOf } from '../support/tree-of.ts';

test('what is too small becomes one box per subsystem below its parent', () => {
  const tree = treeOf([
    'f 90',
    'f;DB::Aggregator::a() 3',
    'f;DB::Aggregator::b();x 4',
    'f;DB::HashJoin::c() 5',
  ]);
  const pruned = pruneSmall(tree, classify(tree), { measure: 'bytes', leastTotal: 10 });
  expect(foldedOf(pruned)).toEqual(['f 90', 'f;(other) 7', 'f;(other) 5']);
});

test('sums of the whole and of each subsystem stay', () => {
  fc.assert(
    fc.property(anyTree, fc.nat(1_000_000), (tree, leastTotal) => {
      const subsystems = classify(tree);
      const pruned = pruneSmall(tree, subsystems, { measure: 'bytes', leastTotal });
      expect(sumsOf(pruned.tree)).toEqual(sumsOf(tree));
      expect(subsystemShares(pruned, 'bytes', pruned.subsystems)).toEqual(
        subsystemShares({ tree }, 'bytes', subsystems),
      );
    }),
  );
});

test('a least of nothing prunes nothing', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      const pruned = pruneSmall(tree, classify(tree), { measure: 'bytes', leastTotal: 0 });
      expect(foldedOf(pruned)).toEqual(foldedOf({ tree }));
    }),
  );
});
