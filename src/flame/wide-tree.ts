import { type CallTree, type Measure, selfColumn, totalColumn } from '../profile/call-tree.ts';
import { frameName } from '../profile/frame-table.ts';
import { OTHER_FRAME } from '../profile/prune.ts';
import type { Share } from '../units.ts';

/** A tree and which of its nodes are wide enough to be drawn. */
export interface WideTree {
  readonly tree: CallTree;
  /** What ends in a node and what it holds in all: the measure, then the carried columns. */
  readonly self: readonly Float64Array[];
  readonly total: readonly Float64Array[];
  /** The least that is drawn, by the measure. */
  readonly least: number;
  /** By parent, the largest first. */
  readonly children: ReadonlyMap<number, readonly number[]>;
}

export interface WideTreeOptions {
  readonly measure: Measure;
  /** Of the whole. Narrower boxes are summed. */
  readonly leastWidth: Share;
  /** Further columns of what ends in a node, by its id; summed up for each box beside its own value. */
  readonly carried?: readonly Float64Array[];
}

export function wideTree(
  tree: CallTree,
  { measure, leastWidth, carried = [] }: WideTreeOptions,
): WideTree {
  const total = totalColumn(tree, measure);
  const least = (total[0] as number) * leastWidth;
  return {
    tree,
    self: [selfColumn(tree, measure), ...carried],
    total: [total, ...carried.map((one) => totals(tree, one))],
    least,
    children: wideChildren(tree, total, least),
  };
}

/** By the measure, and by each carried column in their order. */
export interface Amounts {
  readonly value: number;
  readonly carried: readonly number[];
}

/** What a node holds in all. */
export function amountsOf({ total }: WideTree, node: number): Amounts {
  const [value = 0, ...carried] = total.map((column) => column[node] as number);
  return { value, carried };
}

/** What is below a node: all of it but its own. */
export function amountsBelow({ self, total }: WideTree, node: number): Amounts {
  const [value = 0, ...carried] = total.map(
    (column, index) => (column[node] as number) - (self[index]?.[node] ?? 0),
  );
  return { value, carried };
}

export function minus(whole: Amounts, part: Amounts): Amounts {
  return {
    value: whole.value - part.value,
    carried: whole.carried.map((amount, index) => amount - (part.carried[index] as number)),
  };
}

/**
 * Follows a node down to where something happens: two children that are wide enough, or an own part or a rest that is.
 * What is lost on the way is too thin to be drawn; it shows as part of "other" beside the box.
 */
export function chainFrom(first: number, wide: WideTree): readonly number[] {
  const { children, least } = wide;
  const [self, total] = [wide.self[0], wide.total[0]] as [Float64Array, Float64Array];
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

function totals({ parent, nodeCount }: CallTree, self: Float64Array): Float64Array {
  const total = self.slice(0, nodeCount);
  for (let node = nodeCount - 1; node > 0; node -= 1) {
    const above = parent[node] as number;
    total[above] = (total[above] as number) + (total[node] as number);
  }
  return total;
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

function framesNamed({ frames }: CallTree, name: string): ReadonlySet<number> {
  const named = new Set<number>();
  for (let frame = 1; frame < frames.size; frame += 1) {
    if (frames.length[frame] === name.length && frameName(frames, frame) === name) named.add(frame);
  }
  return named;
}
