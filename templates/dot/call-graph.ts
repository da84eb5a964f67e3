import { formatBytes, formatCount, formatCountOf, formatShare } from '../../src/format.ts';
import type { CallGraph, GraphNode } from '../../src/profile/call-graph.ts';
import { shortenName } from '../../src/profile/short-name.ts';
import type { Share } from '../../src/units.ts';

/** Words around a graph. Plain text. */
export interface GraphText {
  readonly title: string;
  readonly subtitle: string;
  readonly measure: 'bytes' | 'count';
}

const LINE_CHARS = 36;
const NAME_LINES = 4;
const SMALLEST_PT = 11;
const LARGEST_PT = 30;
const WIDEST_EDGE_PT = 7;
/** Inches: 3,840 pixels at most. */
const LARGEST_SIDE = 40;

/**
 * A call graph in the language of Graphviz (https://graphviz.org/doc/info/lang.html): a box a function, larger and
 * darker the more ends in it, with flat and cumulative amounts; an edge a call, as wide as what it passes on.
 */
export function callGraphDot(graph: CallGraph, text: GraphText): string {
  const amount = text.measure === 'bytes' ? formatBytes : formatCount;
  const share = (value: number): Share => (graph.totalAmount === 0 ? 0 : value / graph.totalAmount);
  const boxes = graph.nodes.map(
    (node, index) =>
      `  n${index} [label=${quoted(boxLabel(node, amount, share))}, fontsize=${fontSize(share(node.selfAmount))}, fillcolor="${fill(share(node.totalAmount))}", tooltip=${quoted(node.name.slice(0, 500))}];`,
  );
  const edges = graph.edges.map(
    ({ from, to, amount: passed }) =>
      `  n${from} -> n${to} [label=${quoted(` ${amount(passed)}`)}, penwidth=${penWidth(share(passed))}, weight=${Math.max(1, Math.round(Math.abs(share(passed)) * 100))}];`,
  );
  return [
    'digraph memprof {',
    `  graph [label=${quoted(`${headLines(graph, text).join('\n')}\n `)}, labelloc=t, labeljust=l, fontname="Helvetica", fontsize=18, size="${LARGEST_SIDE},${LARGEST_SIDE}", bgcolor="white", pad=0.3, nodesep=0.3, ranksep=0.5];`,
    '  node [shape=box, style="filled", color="#4a5060", fontname="Helvetica", fontcolor="#15171b", margin="0.15,0.08"];',
    '  edge [fontname="Helvetica", fontsize=12, fontcolor="#2c3038", color="#5c6370", arrowsize=0.7];',
    ...boxes,
    ...edges,
    '}',
    '',
  ].join('\n');
}

function headLines(graph: CallGraph, { title, subtitle }: GraphText): readonly string[] {
  const { droppedNodeCount, droppedEdgeCount } = graph;
  const dropped = [
    ...(droppedNodeCount === 0 ? [] : [formatCountOf(droppedNodeCount, 'small function')]),
    ...(droppedEdgeCount === 0 ? [] : [formatCountOf(droppedEdgeCount, 'small edge')]),
  ];
  return [
    title,
    subtitle,
    ...(graph.nodes.length === 0 ? ['There is nothing in this profile.'] : []),
    ...(dropped.length === 0 ? [] : [`${dropped.join(' and ')} left out`]),
  ];
}

function boxLabel(
  { name, selfAmount, totalAmount }: GraphNode,
  amount: (value: number) => string,
  share: (value: number) => Share,
): string {
  const flat = selfAmount === 0 ? '0' : `${amount(selfAmount)} (${formatShare(share(selfAmount))})`;
  const sums =
    selfAmount === totalAmount
      ? [flat]
      : [flat, `of ${amount(totalAmount)} (${formatShare(share(totalAmount))})`];
  return [...nameLines(shortenName(name.slice(0, 8000))), ...sums].join('\n');
}

/** Broken after "::" or where it must be, the middle left out when it is too long. */
function nameLines(name: string): readonly string[] {
  const lines: string[] = [];
  let rest = visible(name);
  while (rest.length > LINE_CHARS) {
    const colons = rest.lastIndexOf('::', LINE_CHARS - 2);
    const end = colons > 0 ? colons + 2 : LINE_CHARS;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  lines.push(rest);
  if (lines.length <= NAME_LINES) return lines;
  return [...lines.slice(0, NAME_LINES - 2), '…', ...lines.slice(-1)];
}

/** Larger the more ends in the function, as the area of the text, not its height. */
function fontSize(selfShare: Share): string {
  return (
    SMALLEST_PT +
    (LARGEST_PT - SMALLEST_PT) * Math.sqrt(Math.min(1, Math.abs(selfShare)))
  ).toFixed(1);
}

function penWidth(share: Share): string {
  return Math.max(1, WIDEST_EDGE_PT * Math.min(1, Math.abs(share))).toFixed(1);
}

/** From white to a light orange: black text stays readable on all of it. */
function fill(totalShare: Share): string {
  const part = Math.min(1, Math.abs(totalShare));
  const mixed = [
    [255, 246],
    [255, 178],
    [255, 107],
  ].map(([white = 0, orange = 0]) => Math.round(white + (orange - white) * part));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** A double-quoted string: lines end with `\n`, a backslash is one. */
function quoted(text: string): string {
  const escaped = text
    .split('\n')
    .map((line) => visible(line).replace(/\\/g, '\\\\').replace(/"/g, '\\"'))
    .join('\\n');
  return `"${escaped}"`;
}

/** What no drawing can show, and no XML may hold, as a mark. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD');
}
