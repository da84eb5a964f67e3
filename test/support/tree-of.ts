import fc from 'fast-check';
import type { CallTree } from '../../src/profile/call-tree.ts';
import { TreeBuilder } from '../../src/profile/tree-builder.ts';

/** A tree from folded stacks: "main;insert 4096". The count of each stack is 2, its samples 1, unless told. */
export function treeOf(
  lines: readonly string[],
  value: (bytes: number) => { readonly count?: number; readonly samples?: number } = () => ({
    count: 2,
    samples: 1,
  }),
): CallTree {
  const builder = new TreeBuilder();
  for (const line of lines) {
    const split = line.lastIndexOf(' ');
    const bytes = Number(line.slice(split + 1));
    const stack = line.slice(0, split);
    builder.add(stack === '' ? [] : stack.split(';'), { bytes, ...value(bytes) });
  }
  return builder.build();
}

/** Names that the rules know and names that they do not; few, so that stacks share prefixes. */
const frame = fc.constantFrom(
  'start_thread',
  'ThreadPoolImpl<std::__1::thread>::worker()',
  'DB::TCPHandler::runImpl()',
  'DB::Aggregator::executeOnBlock(DB::Block const&)',
  'DB::MergeTask::execute()',
  'DB::ColumnVector<int>::insertFrom(DB::IColumn const&)',
  'DB::ColumnVector<long>::insertFrom(DB::IColumn const&)',
  'std::__1::vector<int>::push_back(int)',
  'Allocator<false, false>::alloc(unsigned long)',
  'operator new(unsigned long)',
  'je_malloc',
  'prof_backtrace',
  'somebody_elses_code',
);

/** Whole numbers, so that sums are exact whatever their order. */
export const anyTree: fc.Arbitrary<CallTree> = fc
  .array(fc.tuple(fc.array(frame, { maxLength: 7 }), fc.integer({ min: 0, max: 1_000_000 })), {
    maxLength: 40,
  })
  .map((stacks) => treeOf(stacks.map(([names, bytes]) => `${names.join(';')} ${bytes}`)));

/** Everything that ends anywhere in the tree. */
export function sumsOf(tree: CallTree): { bytes: number; count: number; samples: number } {
  const sum = (column: Float64Array | undefined): number =>
    (column ?? new Float64Array()).reduce((total, value) => total + value, 0);
  return { bytes: sum(tree.selfBytes), count: sum(tree.selfCount), samples: sum(tree.selfSamples) };
}
