import type { Bytes, Count, Share } from '../units.ts';
import { type CallTree, type Measure, totalColumn } from './call-tree.ts';
import { frameName } from './frame-table.ts';
import { functionTotals } from './function-totals.ts';
import { walkTree } from './walk.ts';

/** A function, by what ends in it (flat) and what passes through it (cumulative); recursion counts once. */
export interface GraphNode {
  readonly name: string;
  readonly selfAmount: Bytes | Count;
  readonly totalAmount: Bytes | Count;
}

/** What one function passed on to another. */
export interface GraphEdge {
  /** Indexes into the nodes. */
  readonly from: number;
  readonly to: number;
  readonly amount: Bytes | Count;
}

export interface CallGraph {
  /** The largest first. */
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly totalAmount: Bytes | Count;
  readonly droppedNodeCount: Count;
  readonly droppedEdgeCount: Count;
}

export interface GraphLimits {
  readonly measure: Extract<Measure, 'bytes' | 'count'>;
  /** Functions that less passes through are left out, as parts of the whole. jeprof: --nodefraction. */
  readonly leastNodeShare?: Share;
  /** The same for edges. jeprof: --edgefraction. */
  readonly leastEdgeShare?: Share;
  readonly maxNodes?: Count;
}

/** As jeprof prunes unless told otherwise (its --nodecount, --nodefraction, --edgefraction). */
const MAX_NODES = 80;
const LEAST_NODE_SHARE = 0.005;
const LEAST_EDGE_SHARE = 0.001;

/** Functions as boxes and calls as edges. Trim the tree first, or the allocator is the centre of it. */
export function callGraph(tree: CallTree, limits: GraphLimits): CallGraph {
  const { measure, maxNodes = MAX_NODES } = limits;
  const { self, total } = functionTotals(tree, measure);
  const whole = Math.abs(totalColumn(tree, measure)[0] as number);
  const magnitude = (frame: number) => Math.abs(total[frame] as number);
  const seen = Array.from({ length: tree.frames.size }, (_, frame) => frame).filter(
    (frame) => frame !== 0 && (total[frame] !== 0 || self[frame] !== 0),
  );
  const kept = seen
    .filter((frame) => magnitude(frame) >= whole * (limits.leastNodeShare ?? LEAST_NODE_SHARE))
    .sort((a, b) => magnitude(b) - magnitude(a) || a - b)
    .slice(0, maxNodes);
  const indexOf = new Map(kept.map((frame, index) => [frame, index]));
  const amounts = edgeAmounts(tree, measure);
  const edges: GraphEdge[] = [];
  for (const [key, amount] of amounts) {
    const from = indexOf.get(Math.floor(key / tree.frames.size));
    const to = indexOf.get(key % tree.frames.size);
    if (from === undefined || to === undefined) continue;
    if (Math.abs(amount) < whole * (limits.leastEdgeShare ?? LEAST_EDGE_SHARE)) continue;
    edges.push({ from, to, amount });
  }
  return {
    nodes: kept.map((frame) => ({
      name: frameName(tree.frames, frame),
      selfAmount: self[frame] as number,
      totalAmount: total[frame] as number,
    })),
    edges: edges.sort(
      (a, b) => Math.abs(b.amount) - Math.abs(a.amount) || a.from - b.from || a.to - b.to,
    ),
    totalAmount: whole,
    droppedNodeCount: seen.length - kept.length,
    droppedEdgeCount: amounts.size - edges.length,
  };
}

/** What each pair of functions passes on, by `from × number of frames + to`; a pair that a stack holds twice counts once. */
function edgeAmounts(tree: CallTree, measure: Measure): ReadonlyMap<number, number> {
  const totalOfNode = totalColumn(tree, measure);
  const amounts = new Map<number, number>();
  const timesOpen = new Map<number, number>();
  const keyOf = (node: number) => {
    const parent = tree.parent[node] as number;
    const isEdge = node !== 0 && parent !== 0;
    return isEdge
      ? (tree.frame[parent] as number) * tree.frames.size + (tree.frame[node] as number)
      : undefined;
  };
  walkTree(tree, {
    enter(node) {
      const key = keyOf(node);
      if (key === undefined) return;
      const open = timesOpen.get(key) ?? 0;
      const amount = totalOfNode[node] as number;
      if (open === 0 && amount !== 0) amounts.set(key, (amounts.get(key) ?? 0) + amount);
      timesOpen.set(key, open + 1);
    },
    leave(node) {
      const key = keyOf(node);
      if (key !== undefined) timesOpen.set(key, (timesOpen.get(key) ?? 1) - 1);
    },
  });
  return amounts;
}
