import { type CallTree, type Measure, selfColumn, totalColumn } from '../profile/call-tree.ts';
import { frameName } from '../profile/frame-table.ts';
import { OTHER_FRAME } from '../profile/prune.ts';
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

export interface LayoutOptions {
  readonly measure: Measure;
  /** Narrower boxes are summed. */
  readonly leastWidth: Share;
  readonly maxRows: Count;
  /** Rows from the root down that are never folded: root and subsystems. */
  readonly fixedRows: Count;
  readonly foldsChains: boolean;
  /** Chains are not folded further than so many rows need. */
  readonly easyRows: Count;
  /** Further columns of what ends in a node, by its id; summed up for each box beside its own value. */
  readonly carried?: readonly Float64Array[];
}

/** A chain is drawn as so many boxes at most, where there is room for them: its beginning in one, then its last frames. */
const MOST_CHAIN_ROWS = 8;

/**
 * Boxes of a tree: children by size, the largest left, ties by name. A chain of frames in which nothing that could
 * be drawn happens is one box, or a few where there are rows to spare. Never recursive; only nodes that are wide enough
 * are ever sorted or named.
 */
export function layoutFlame(tree: CallTree, options: LayoutOptions): FlameLayout {
  const columns = columnsOf(tree, options);
  const [self, total] = [columns.self[0], columns.total[0]] as [Float64Array, Float64Array];
  const whole = total[0] as number;
  if (!(whole > 0)) return { boxes: [], rowCount: 0, total: 0, foldedFrames: 0, hiddenRows: 0 };
  const least = whole * options.leastWidth;
  const wide = { tree, columns, self, total, least, children: wideChildren(tree, total, least) };
  let layout = placeBoxes(wide, options, 1);
  if (layout.foldedFrames === 0) return layout;
  for (let chainRows = 2; chainRows <= MOST_CHAIN_ROWS; chainRows += 1) {
    const longer = placeBoxes(wide, options, chainRows);
    if (longer.rowCount > options.easyRows) break;
    layout = longer;
  }
  return layout;
}

/** A tree and which of its nodes are wide enough to be drawn. */
interface WideTree {
  readonly tree: CallTree;
  readonly columns: Columns;
  readonly self: Float64Array;
  readonly total: Float64Array;
  readonly least: number;
  readonly children: ReadonlyMap<number, readonly number[]>;
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
  const { columns, children, tree } = wide;
  const whole = wide.total[0] as number;
  const boxes: FlameBox[] = [];
  let foldedFrames = 0;
  let hiddenRows = 0;
  const add = (place: Place, box: Pick<FlameBox, 'kind' | 'frames'>, amounts: Amounts) => {
    const { row, start, branch } = place;
    boxes.push({ row, start, width: amounts.value / whole, branch, ...box, ...amounts });
  };
  const root: Place = { node: 0, row: 0, start: 0, branch: '', unfolded: 0 };
  add(root, { kind: 'root', frames: [] }, amountsOf(columns, 0));
  const queue = [root];
  for (let at = 0; at < queue.length; at += 1) {
    const place = queue[at] as Place;
    const row = place.row + 1;
    if (row >= options.maxRows) {
      hiddenRows = Math.max(hiddenRows, hiddenDepth(children, place.node));
      continue;
    }
    const isFolding = options.foldsChains && row >= options.fixedRows && place.unfolded === 0;
    let rest = restOf(columns, place.node);
    let start = place.start;
    for (const child of children.get(place.node) ?? []) {
      const chain = isFolding ? chainFrom(child, wide) : [child];
      const drawn = chain.slice(0, Math.max(1, chain.length - chainRows + 1));
      const node = drawn.at(-1) as number;
      const frames = drawn.map((one) => frameName(tree.frames, tree.frame[one] as number));
      const amounts = amountsOf(columns, node);
      const unfolded = Math.max(0, place.unfolded - 1, chain.length - drawn.length);
      const branch = row === 1 ? (frames[0] as string) : place.branch;
      const below = { node, row, start, branch, unfolded };
      add(below, { kind: 'frame', frames }, amounts);
      queue.push(below);
      foldedFrames += frames.length - 1;
      start += amounts.value / whole;
      rest = minus(rest, amounts);
    }
    if (rest.value > whole * 1e-9)
      add({ ...place, row, start }, { kind: 'other', frames: [] }, rest);
  }
  const rowCount = boxes.reduce((most, { row }) => Math.max(most, row + 1), 0);
  return { boxes, rowCount, total: whole, foldedFrames, hiddenRows };
}

/** What ends in a node and what it holds in all: the measure, then the carried columns. */
interface Columns {
  readonly self: readonly Float64Array[];
  readonly total: readonly Float64Array[];
}

function columnsOf(tree: CallTree, { measure, carried = [] }: LayoutOptions): Columns {
  const self = [selfColumn(tree, measure), ...carried];
  return { self, total: [totalColumn(tree, measure), ...carried.map((one) => totals(tree, one))] };
}

function totals({ parent, nodeCount }: CallTree, self: Float64Array): Float64Array {
  const total = self.slice(0, nodeCount);
  for (let node = nodeCount - 1; node > 0; node -= 1) {
    const above = parent[node] as number;
    total[above] = (total[above] as number) + (total[node] as number);
  }
  return total;
}

type Amounts = Pick<FlameBox, 'value' | 'carried'>;

function amountsOf({ total }: Columns, node: number): Amounts {
  const [value = 0, ...carried] = total.map((column) => column[node] as number);
  return { value, carried };
}

/** What is below a node: all of it but its own. */
function restOf({ self, total }: Columns, node: number): Amounts {
  const [value = 0, ...carried] = total.map(
    (column, index) => (column[node] as number) - (self[index]?.[node] ?? 0),
  );
  return { value, carried };
}

function minus(whole: Amounts, part: Amounts): Amounts {
  return {
    value: whole.value - part.value,
    carried: whole.carried.map((amount, index) => amount - (part.carried[index] as number)),
  };
}

/** Children that are wide enough, by parent, the largest first. */
function wideChildren(
  tree: CallTree,
  total: Float64Array,
  least: number,
): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  const sums = framesNamed(tree, OTHER_FRAME);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    // What was pruned before is no function: it is part of the rest.
    if ((total[node] as number) < least || sums.has(tree.frame[node] as number)) continue;
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

/**
 * Follows a node down to where something happens: two children that are wide enough, or an own part or a rest that is.
 * What is lost on the way is too thin to be drawn; it shows as part of "other" beside the box.
 */
function chainFrom(first: number, { children, total, self, least }: WideTree): readonly number[] {
  const chain = [first];
  for (let node = first; ; ) {
    const below = children.get(node);
    const only = below?.[0];
    if (only === undefined || below?.length !== 1) return chain;
    const lost = (total[first] as number) - (total[only] as number);
    if (lost >= least || (self[node] as number) >= least) return chain;
    chain.push(only);
    node = only;
  }
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

function framesNamed({ frames }: CallTree, name: string): ReadonlySet<number> {
  const named = new Set<number>();
  for (let frame = 1; frame < frames.size; frame += 1) {
    if (frames.length[frame] === name.length && frameName(frames, frame) === name) named.add(frame);
  }
  return named;
}
