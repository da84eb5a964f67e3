import type { Bytes, Count } from '../units.ts';
import type { CallTree } from './call-tree.ts';
import { type Confidence, confidenceOf } from './confidence.ts';
import { filterStacks, type StackFilter } from './filter-stacks.ts';
import { frameName } from './frame-table.ts';
import { type FunctionTotals, functionTotals } from './function-totals.ts';

/** One function of a table. Names are whole; `shortenName` is for whoever shows them. */
export interface TopRow extends Confidence {
  readonly name: string;
  readonly selfBytes: Bytes;
  readonly totalBytes: Bytes;
  readonly selfCount: Count;
  readonly totalCount: Count;
}

export interface TopOptions extends StackFilter {
  readonly measure?: 'bytes' | 'count';
  /** What the rows are sorted by, and what their samples are counted of. */
  readonly by?: 'self' | 'total';
  /** How many rows; all unless said. */
  readonly limit?: Count;
}

/**
 * Functions with what ends in them and what passes through them, the largest first; those with nothing are left out.
 * Trim the tree first, or the allocator's own functions are the top.
 */
export function topSites(
  { tree }: { readonly tree: CallTree },
  { measure = 'bytes', by = 'self', limit, ...filter }: TopOptions = {},
): readonly TopRow[] {
  return rowsOf(filterStacks(tree, filter), { measure, by, limit });
}

type RowOptions = Required<Pick<TopOptions, 'measure' | 'by'>> & {
  readonly limit: Count | undefined;
};

function rowsOf(tree: CallTree, { measure, by, limit }: RowOptions): readonly TopRow[] {
  const bytes = functionTotals(tree, 'bytes');
  const count = tree.selfCount && functionTotals(tree, 'count');
  const samples = tree.selfSamples && functionTotals(tree, 'samples');
  const sorted = (measure === 'count' ? count : bytes)?.[by] ?? new Float64Array(tree.frames.size);
  return idsBySize(tree, bytes, sorted)
    .slice(0, limit)
    .map((frame) => ({
      name: frameName(tree.frames, frame),
      selfBytes: bytes.self[frame] as number,
      totalBytes: bytes.total[frame] as number,
      selfCount: count?.self[frame] ?? 0,
      totalCount: count?.total[frame] ?? 0,
      ...confidenceOf(samples?.[by][frame]),
    }));
}

/** Frames that anything passes through, the largest by magnitude first; of equal ones the one met first. */
function idsBySize(
  tree: CallTree,
  { total }: FunctionTotals,
  sorted: Float64Array,
): readonly number[] {
  const ids: number[] = [];
  for (let frame = 1; frame < tree.frames.size; frame += 1) {
    if (total[frame] !== 0 || sorted[frame] !== 0) ids.push(frame);
  }
  return ids.sort((a, b) => Math.abs(sorted[b] as number) - Math.abs(sorted[a] as number) || a - b);
}
