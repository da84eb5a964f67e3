import { describe, expect, it } from 'vitest';
import { type DiffTree, diffTree } from '../../src/flame/diff-tree.ts';
import { totalColumn } from '../../src/profile/call-tree.ts';
import { frameName } from '../../src/profile/frame-table.ts';
import { treeOf } from '../support/tree-of.ts';

const options = { measure: 'bytes', isRaw: false, extraRules: [] } as const;

/** "name before→after (width)" of every node, by what it holds in all. */
function nodes({ tree, beforeSelf, afterSelf }: DiffTree): readonly string[] {
  const [width, before, after] = [tree.selfBytes, beforeSelf, afterSelf].map((selfBytes) =>
    totalColumn({ ...tree, selfBytes }, 'bytes'),
  ) as [Float64Array, Float64Array, Float64Array];
  return Array.from(
    { length: tree.nodeCount },
    (_, node) =>
      `${frameName(tree.frames, tree.frame[node]!)} ${before[node]}→${after[node]} (${width[node]})`,
  ).slice(1);
}

describe('diffTree', () => {
  it('keeps the width of what is gone beside what is new', () => {
    const diff = diffTree(treeOf(['a;x 10', 'b 5']), treeOf(['a;y 7', 'b 8']), {
      ...options,
      isRaw: true,
    });
    expect(nodes(diff).toSorted()).toEqual([
      'a 10→7 (17)',
      'b 5→8 (8)',
      'x 10→0 (10)',
      'y 0→7 (7)',
    ]);
    expect(diff).toMatchObject({ beforeTotal: 15, afterTotal: 15, hasSubsystemRow: false });
  });

  it('compares without the allocator, below a row of subsystems', () => {
    const diff = diffTree(
      treeOf(['DB::Aggregator::execute();je_malloc 10']),
      treeOf(['DB::Aggregator::execute();operator new(unsigned long);je_malloc 30']),
      options,
    );
    expect(nodes(diff)).toEqual(['aggregation 10→30 (30)', 'DB::Aggregator::execute() 10→30 (30)']);
  });
});
