import type { CallTree } from '../profile/call-tree.ts';
import { frameName } from '../profile/frame-table.ts';
import type { Count, Share } from '../units.ts';
import {
  type Amounts,
  amountsBelow,
  amountsOf,
  chainFrom,
  minus,
  type WideTree,
  type WideTreeOptions,
  wideTree,
} from './wide-tree.ts';

/** A box of the picture. Rows count from the root, which is 0; x runs over the whole in [0, 1]. */
export interface FlameBox {
  readonly row: number;
  readonly start: Share;
  readonly width: Share;
  /** Bytes or objects, by the measure. */
  readonly value: number;
  /** `other` sums what is too thin to be drawn. */
  readonly kind: 'root' | 'frame' | 'other';
  /** The frames that the box stands for, outermost first: more than one where a chain was folded. */
  readonly frames: readonly string[];
  /** What the box holds of each carried column, in their order. */
  readonly carried: readonly number[];
  /** Name of the box's frame in the first row: the subsystem, when the tree has that row. */
  readonly branch: string;
}

export interface FlameLayout {
  readonly boxes: readonly FlameBox[];
  readonly rowCount: Count;
  /** The whole: what 100 % is. */
  readonly total: number;
  /** Frames that stand in a box together with another. */
  readonly foldedFrames: Count;
  /** Rows below the last drawn one. */
  readonly hiddenRows: Count;
}

export interface LayoutOptions extends WideTreeOptions {
  readonly maxRows: Count;
  /** Rows from the root down that are never folded: root and subsystems. */
  readonly fixedRows: Count;
  readonly foldsChains: boolean;
  /** Chains are not folded further than so many rows need. */
  readonly easyRows: Count;
}

/** A chain is drawn as so many boxes at most, where there is room for them: its beginning in one, then its last frames. */
const MOST_CHAIN_ROWS = 8;

/** Sums of a million doubles are not exact. */
const ROUNDING = 1e-9;

/**
 * Boxes of a tree: children by size, the largest left, ties by name. A chain of frames in which nothing that could
 * be drawn happens is one box, or a few where there are rows to spare. Never recursive; only nodes that are wide enough
 * are ever sorted or named.
 */
export function layoutFlame(tree: CallTree, options: LayoutOptions): FlameLayout {
  const wide = wideTree(tree, options);
  const { value: whole } = amountsOf(wide, 0);
  if (!(whole > 0)) return { boxes: [], rowCount: 0, total: 0, foldedFrames: 0, hiddenRows: 0 };
  let layout = placeBoxes(wide, options, 1);
  if (layout.foldedFrames === 0) return layout;
  for (let chainRows = 2; chainRows <= MOST_CHAIN_ROWS; chainRows += 1) {
    const longer = placeBoxes(wide, options, chainRows);
    if (longer.rowCount > options.easyRows) break;
    layout = longer;
  }
  return layout;
}

interface Place {
  readonly node: number;
  readonly row: number;
  readonly start: number;
  readonly branch: string;
  /** How many rows below are the last frames of a chain, each in a box of its own. */
  readonly unfolded: Count;
}

function placeBoxes(wide: WideTree, options: LayoutOptions, chainRows: Count): FlameLayout {
  const { children, tree } = wide;
  const { value: whole } = amountsOf(wide, 0);
  const boxes: FlameBox[] = [];
  let foldedFrames = 0;
  let hiddenRows = 0;
  const add = (place: Place, box: Pick<FlameBox, 'kind' | 'frames'>, amounts: Amounts) => {
    const { row, start, branch } = place;
    boxes.push({ row, start, width: amounts.value / whole, branch, ...box, ...amounts });
  };
  const root: Place = { node: 0, row: 0, start: 0, branch: '', unfolded: 0 };
  add(root, { kind: 'root', frames: [] }, amountsOf(wide, 0));
  const queue = [root];
  for (let at = 0; at < queue.length; at += 1) {
    const place = queue[at] as Place;
    const row = place.row + 1;
    if (row >= options.maxRows) {
      hiddenRows = Math.max(hiddenRows, hiddenDepth(children, place.node));
      continue;
    }
    const isFolding = options.foldsChains && row >= options.fixedRows && place.unfolded === 0;
    let rest = amountsBelow(wide, place.node);
    let start = place.start;
    for (const child of children.get(place.node) ?? []) {
      const chain = isFolding ? chainFrom(child, wide) : [child];
      const drawn = chain.slice(0, Math.max(1, chain.length - chainRows + 1));
      const node = drawn.at(-1) as number;
      const frames = drawn.map((one) => frameName(tree.frames, tree.frame[one] as number));
      const amounts = amountsOf(wide, node);
      const unfolded = Math.max(0, place.unfolded - 1, chain.length - drawn.length);
      const branch = row === 1 ? (frames[0] as string) : place.branch;
      const below = { node, row, start, branch, unfolded };
      add(below, { kind: 'frame', frames }, amounts);
      queue.push(below);
      foldedFrames += frames.length - 1;
      start += amounts.value / whole;
      rest = minus(rest, amounts);
    }
    if (rest.value <= whole * ROUNDING) continue;
    add({ ...place, row, start }, { kind: 'other', frames: [] }, rest);
  }
  const rowCount = boxes.reduce((most, { row }) => Math.max(most, row + 1), 0);
  return { boxes, rowCount, total: whole, foldedFrames, hiddenRows };
}

/** Rows of boxes below a node, itself not counted. */
function hiddenDepth(children: ReadonlyMap<number, readonly number[]>, node: number): Count {
  let depth = 0;
  let level: readonly number[] = children.get(node) ?? [];
  while (level.length > 0) {
    depth += 1;
    level = level.flatMap((child) => children.get(child) ?? []);
  }
  return depth;
}
