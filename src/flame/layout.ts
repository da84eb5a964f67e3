import { type CallTree, type Measure, selfColumn, totalColumn } from '../profile/call-tree.ts';
import { frameName } from '../profile/frame-table.ts';
import type { Count, Share } from '../units.ts';

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

export interface LayoutOptions {
  readonly measure: Measure;
  /** Narrower boxes are summed. */
  readonly leastWidth: Share;
  readonly maxRows: Count;
  /** Rows from the root down that are never folded: root and subsystems. */
  readonly fixedRows: Count;
  readonly foldsChains: boolean;
}

interface Place {
  readonly node: number;
  readonly row: number;
  readonly start: number;
  readonly branch: string;
}

/**
 * Boxes of a tree: children by size, the largest left, ties by name. A chain of frames in which nothing that could
 * be drawn happens is one box. Never recursive; only nodes that are wide enough are ever sorted or named.
 */
export function layoutFlame(tree: CallTree, options: LayoutOptions): FlameLayout {
  const total = totalColumn(tree, options.measure);
  const self = selfColumn(tree, options.measure);
  const whole = total[0] as number;
  if (!(whole > 0)) return { boxes: [], rowCount: 0, total: 0, foldedFrames: 0, hiddenRows: 0 };
  const least = whole * options.leastWidth;
  const children = wideChildren(tree, total, least);
  const boxes: FlameBox[] = [
    { row: 0, start: 0, width: 1, value: whole, kind: 'root', frames: [], branch: '' },
  ];
  const depths: number[] = [0];
  let foldedFrames = 0;
  const queue: Place[] = [{ node: 0, row: 0, start: 0, branch: '' }];
  for (let at = 0; at < queue.length; at += 1) {
    const place = queue[at] as Place;
    const row = place.row + 1;
    if (row >= options.maxRows) {
      depths.push(hiddenDepth(children, place.node));
      continue;
    }
    const parts = (children.get(place.node) ?? []).map((child) =>
      foldChain(child, {
        children,
        total,
        self,
        tree,
        least,
        isFolding: options.foldsChains && row >= options.fixedRows,
      }),
    );
    let start = place.start;
    for (const { node, frames } of parts) {
      const value = total[node] as number;
      const branch = row === 1 ? (frames[0] as string) : place.branch;
      boxes.push({ row, start, width: value / whole, value, kind: 'frame', frames, branch });
      foldedFrames += frames.length - 1;
      queue.push({ node, row, start, branch });
      start += value / whole;
    }
    // What is below the children that are drawn, and not the place's own.
    const drawn = parts.reduce((sum, { node }) => sum + (total[node] as number), 0);
    const rest = (total[place.node] as number) - (self[place.node] as number) - drawn;
    if (rest > whole * 1e-9) {
      const width = rest / whole;
      boxes.push({
        row,
        start,
        width,
        value: rest,
        kind: 'other',
        frames: [],
        branch: place.branch,
      });
    }
  }
  return {
    boxes,
    rowCount: Math.max(...boxes.map(({ row }) => row)) + 1,
    total: whole,
    foldedFrames,
    hiddenRows: Math.max(...depths),
  };
}

/** Children that are wide enough, by parent, the largest first. */
function wideChildren(
  tree: CallTree,
  total: Float64Array,
  least: number,
): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  for (let node = 1; node < tree.nodeCount; node += 1) {
    if ((total[node] as number) < least) continue;
    const parent = tree.parent[node] as number;
    const list = children.get(parent);
    if (list === undefined) children.set(parent, [node]);
    else list.push(node);
  }
  const names = new Map<number, string>();
  const nameOf = (node: number) => {
    const frame = tree.frame[node] as number;
    const known = names.get(frame) ?? frameName(tree.frames, frame);
    names.set(frame, known);
    return known;
  };
  for (const list of children.values()) {
    if (list.length === 1) continue;
    list.sort(
      (a, b) =>
        (total[b] as number) - (total[a] as number) ||
        (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : a - b),
    );
  }
  return children;
}

interface Chain {
  readonly children: ReadonlyMap<number, readonly number[]>;
  readonly total: Float64Array;
  readonly self: Float64Array;
  readonly tree: CallTree;
  readonly least: number;
  readonly isFolding: boolean;
}

/**
 * Follows a node down to where something happens: two children that are wide enough, or an own part or a rest that is.
 * What is lost on the way is too thin to be drawn; it shows as part of "other" beside the box.
 */
function foldChain(
  first: number,
  { children, total, self, tree, least, isFolding }: Chain,
): { readonly node: number; readonly frames: readonly string[] } {
  const frames = [frameName(tree.frames, tree.frame[first] as number)];
  let node = first;
  while (isFolding) {
    const below = children.get(node);
    const only = below?.[0];
    if (only === undefined || below?.length !== 1) break;
    const lost = (total[first] as number) - (total[only] as number);
    if (lost >= least || (self[node] as number) >= least) break;
    node = only;
    frames.push(frameName(tree.frames, tree.frame[node] as number));
  }
  return { node, frames };
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
