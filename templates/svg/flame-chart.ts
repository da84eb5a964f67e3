import { boxLabel } from '../../src/flame/label.ts';
import type { FlameBox, FlameLayout } from '../../src/flame/layout.ts';
import type { FontSetting } from '../../src/text-width.ts';
import type { Px } from '../../src/units.ts';
import { element, type Markup, number, textElement } from './xml.ts';

const BOX_GAP_PX = 2;
const PADDING_PX = 9;
const FONT: FontSetting = { sizePx: 24 };

/** How one box is drawn and what is written in it. */
export interface BoxPaint {
  readonly fill: string;
  readonly textFill: string;
  /** Drawn around the box, dashed. */
  readonly outline?: string;
  /** Outermost first; more than one for a folded chain. */
  readonly names: readonly string[];
  /** Readings of the amount, the longest first. */
  readonly amounts: readonly string[];
  /** The amount in full, for who points at the box. */
  readonly exact: string;
}

export interface ChartPlace {
  readonly leftPx: Px;
  readonly topPx: Px;
  readonly widthPx: Px;
  readonly rowPx: Px;
  /** The root at the bottom instead of the top. */
  readonly isUpsideDown: boolean;
}

/** The boxes of a layout with their labels: one path for each way to be painted, which renders fast. */
export function flameChart(
  layout: FlameLayout,
  place: ChartPlace,
  paint: (box: FlameBox) => BoxPaint,
): readonly Markup[] {
  const paths = new Map<string, { readonly paint: BoxPaint; readonly outlines: string[] }>();
  const labels = new Map<string, Markup[]>();
  for (const box of layout.boxes) {
    const area = areaOf(box, layout, place);
    if (area.widthPx < 1) continue;
    const painted = paint(box);
    const key = `${painted.fill} ${painted.outline}`;
    const path = paths.get(key) ?? { paint: painted, outlines: [] };
    path.outlines.push(outlineOf(area));
    paths.set(key, path);
    const written = labels.get(painted.textFill) ?? [];
    written.push(...labelOf(painted, area));
    labels.set(painted.textFill, written);
  }
  return [
    element(
      'g',
      { 'shape-rendering': 'crispEdges' },
      [...paths.values()].map(({ paint: { fill, outline }, outlines }) =>
        element('path', { fill, ...dashes(outline), d: outlines.join('\n') }),
      ),
    ),
    ...[...labels].map(([fill, texts]) => element('g', { 'font-size': FONT.sizePx, fill }, texts)),
  ];
}

interface Area {
  readonly x: Px;
  readonly y: Px;
  readonly widthPx: Px;
  readonly heightPx: Px;
}

function areaOf(
  { row, start, width }: FlameBox,
  { rowCount }: FlameLayout,
  place: ChartPlace,
): Area {
  const line = place.isUpsideDown ? rowCount - 1 - row : row;
  return {
    x: place.leftPx + start * place.widthPx,
    y: place.topPx + line * place.rowPx,
    widthPx: width * place.widthPx - BOX_GAP_PX,
    heightPx: place.rowPx - BOX_GAP_PX,
  };
}

function outlineOf({ x, y, widthPx, heightPx }: Area): string {
  return `M${number(x)} ${number(y)}h${number(widthPx)}v${number(heightPx)}h-${number(widthPx)}z`;
}

function dashes(outline: string | undefined): Readonly<Record<string, string | number>> {
  if (outline === undefined) return {};
  return { stroke: outline, 'stroke-width': 2, 'stroke-dasharray': '6 4' };
}

function labelOf(
  { names, amounts }: BoxPaint,
  { x, y, widthPx, heightPx }: Area,
): readonly Markup[] {
  const room = widthPx - 2 * PADDING_PX;
  const label = boxLabel(names, amounts, { widthPx: room, font: FONT });
  if (label === undefined) return [];
  const baseline = y + heightPx / 2 + 8.5;
  const left = x + PADDING_PX;
  if (label.name === '') {
    return [
      textElement(
        'text',
        { x: left + room / 2, y: baseline, 'text-anchor': 'middle' },
        label.amount,
      ),
    ];
  }
  return [
    textElement('text', { x: left, y: baseline }, label.name),
    textElement('text', { x: left + room, y: baseline, 'text-anchor': 'end' }, label.amount),
  ];
}
