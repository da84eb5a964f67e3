import { type CallTree, type Measure, selfColumn, totalColumn } from './call-tree.ts';
import { walkTree } from './walk.ts';

/** Sums by frame id. */
export interface FunctionTotals {
  /** What ends in the function itself (pprof: flat). */
  readonly self: Float64Array;
  /** What passes through it (pprof: cum); a stack that holds a function twice counts once. */
  readonly total: Float64Array;
}

export function functionTotals(tree: CallTree, measure: Measure): FunctionTotals {
  const ofNode = selfColumn(tree, measure);
  const totalOfNode = totalColumn(tree, measure);
  const self = new Float64Array(tree.frames.size);
  const total = new Float64Array(tree.frames.size);
  const timesOpen = new Int32Array(tree.frames.size);
  walkTree(tree, {
    enter(node) {
      const frame = tree.frame[node] as number;
      self[frame] = (self[frame] as number) + (ofNode[node] as number);
      if (timesOpen[frame] === 0) {
        total[frame] = (total[frame] as number) + (totalOfNode[node] as number);
      }
      timesOpen[frame] = (timesOpen[frame] as number) + 1;
    },
    leave(node) {
      const frame = tree.frame[node] as number;
      timesOpen[frame] = (timesOpen[frame] as number) - 1;
    },
  });
  return { self, total };
}
