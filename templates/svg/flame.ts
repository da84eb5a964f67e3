import { type DrawnTree, drawnTree } from '../../src/flame/drawn-tree.ts';
import { boxLabel } from '../../src/flame/label.ts';
import { type FlameBox, type FlameLayout, layoutFlame } from '../../src/flame/layout.ts';
import {
  BOX_TEXT,
  darker,
  NEUTRAL_COLOUR,
  OTHER_COLOUR,
  subsystemColour,
} from '../../src/flame/palette.ts';
import { formatBytes, formatCount, formatCountOf } from '../../src/format.ts';
import type { FlameRequest } from '../../src/picture-request.ts';
import type { FontSetting } from '../../src/text-width.ts';
import type { Px } from '../../src/units.ts';
import { CARD, card, footerHeight, footerLines } from './card.ts';
import { PANEL_WIDTH_PX, panel, panelHeight } from './flame-panel.ts';
import { themeColours } from './theme.ts';
import { element, type Markup, textElement } from './xml.ts';

const WIDTH_PX = 1600;
/** Few rows are drawn higher, so that the picture fills its card. */
const ROW_PX = { least: 44, most: 60 } as const;
const BOX_GAP_PX = 2;
const PADDING_PX = 9;
const COLUMN_GAP_PX = 40;
const BOX_FONT: FontSetting = { sizePx: 24 };
/** Narrower boxes cannot be told apart at the size that a chat shows. */
const LEAST_BOX_PX = 14;
const MAX_ROWS = 18;
/** 16 : 9; lower pictures are cropped by some clients. */
const LEAST_HEIGHT_PX = 900;
const SITE_LIMIT = 7;

/** A flame graph, an icicle unless asked otherwise, with its panel: see `drawn-tree.ts` and `layout.ts` for what it shows. */
export function flameSvg(request: FlameRequest): string {
  const { profile, measure, theme = 'dark' } = request;
  const widthPx = request.widthPx ?? WIDTH_PX;
  const drawn = drawnTree(profile.tree, {
    measure,
    isRaw: request.raw === true,
    extraRules: request.extraRules ?? [],
    siteLimit: SITE_LIMIT,
  });
  const chartPx = widthPx - 2 * CARD.marginPx - PANEL_WIDTH_PX - COLUMN_GAP_PX;
  const layout = layoutFlame(drawn.tree, {
    measure,
    leastWidth: LEAST_BOX_PX / chartPx,
    maxRows: MAX_ROWS,
    fixedRows: drawn.hasSubsystemRow ? 2 : 1,
    foldsChains: request.raw !== true,
  });
  const remarks = [...remarksOf(request, drawn, layout), ...request.text.footer];
  const footerPx = footerHeight(footerLines(remarks, widthPx - 2 * CARD.marginPx).length);
  const panelPx = panelHeight(drawn, measure);
  const rowPx = Math.min(
    ROW_PX.most,
    Math.max(ROW_PX.least, Math.floor(panelPx / Math.max(1, layout.rowCount))),
  );
  const bodyPx = Math.max(layout.rowCount * rowPx, panelPx);
  const heightPx = Math.max(LEAST_HEIGHT_PX, CARD.bodyTopPx + bodyPx + footerPx + 16);
  const colours = themeColours[theme];
  const rows: Rows = {
    leftPx: CARD.marginPx,
    widthPx: chartPx,
    rowPx,
    topOf: (row) =>
      request.orientation === 'flame'
        ? CARD.bodyTopPx + (layout.rowCount - 1 - row) * rowPx
        : CARD.bodyTopPx + row * rowPx,
  };
  return card({ widthPx, heightPx }, { text: { ...request.text, footer: remarks }, theme }, [
    ...(layout.boxes.length === 0
      ? [nothing(colours.text, request)]
      : boxes(layout, { rows, measure, hasSubsystemRow: drawn.hasSubsystemRow })),
    ...panel(drawn, {
      measure,
      colours,
      leftPx: CARD.marginPx + chartPx + COLUMN_GAP_PX,
      topPx: CARD.bodyTopPx,
    }),
  ]);
}

interface Rows {
  readonly leftPx: Px;
  readonly widthPx: Px;
  readonly rowPx: Px;
  topOf(row: number): Px;
}

interface BoxOptions {
  readonly rows: Rows;
  readonly measure: 'bytes' | 'count';
  readonly hasSubsystemRow: boolean;
}

function boxes(layout: FlameLayout, options: BoxOptions): readonly Markup[] {
  const { rows } = options;
  const paths = new Map<string, string[]>();
  const labels: Markup[] = [];
  for (const box of layout.boxes) {
    const x = rows.leftPx + box.start * rows.widthPx;
    const width = box.width * rows.widthPx - BOX_GAP_PX;
    if (width < 1) continue;
    const y = rows.topOf(box.row);
    const colour = colourOf(box, options.hasSubsystemRow);
    const path = `M${round(x)} ${round(y)}h${round(width)}v${rows.rowPx - BOX_GAP_PX}h-${round(width)}z`;
    paths.set(colour, [...(paths.get(colour) ?? []), path]);
    labels.push(
      ...labelOf(box, layout, { ...options, x: x + PADDING_PX, y, roomPx: width - 2 * PADDING_PX }),
    );
  }
  return [
    element(
      'g',
      { 'shape-rendering': 'crispEdges' },
      [...paths].map(([fill, d]) => element('path', { fill, d: d.join('\n') })),
    ),
    element('g', { 'font-size': BOX_FONT.sizePx, fill: BOX_TEXT }, labels),
  ];
}

function colourOf(box: FlameBox, hasSubsystemRow: boolean): string {
  if (box.kind === 'root') return NEUTRAL_COLOUR;
  if (box.kind === 'other') return OTHER_COLOUR;
  const colour = hasSubsystemRow ? subsystemColour(box.branch) : NEUTRAL_COLOUR;
  return box.row % 2 === 0 ? darker(colour) : colour;
}

interface LabelPlace extends BoxOptions {
  readonly x: Px;
  readonly y: Px;
  readonly roomPx: Px;
}

function labelOf(box: FlameBox, layout: FlameLayout, place: LabelPlace): readonly Markup[] {
  const { x, y, roomPx, measure } = place;
  const frames = box.kind === 'frame' ? box.frames : [nameOfSum(box, layout, measure)];
  const label = boxLabel(frames, box.width, { widthPx: roomPx, font: BOX_FONT });
  if (label === undefined) return [];
  const baseline = y + place.rows.rowPx / 2 + 7.5;
  const share = { x: x + roomPx, y: baseline, 'text-anchor': 'end' };
  if (label.name === '') {
    return [
      textElement('text', { x: x + roomPx / 2, y: baseline, 'text-anchor': 'middle' }, label.share),
    ];
  }
  return [
    textElement('text', { x, y: baseline }, label.name),
    textElement('text', share, label.share),
  ];
}

function nameOfSum(box: FlameBox, layout: FlameLayout, measure: 'bytes' | 'count'): string {
  if (box.kind === 'other') return 'other';
  return `all · ${formatValue(layout.total, measure)}`;
}

function remarksOf(
  request: FlameRequest,
  drawn: DrawnTree,
  layout: FlameLayout,
): readonly string[] {
  const { profile, measure } = request;
  const remarks = [`100% = ${formatValue(layout.total, measure)}`];
  if (layout.foldedFrames > 0) {
    remarks.push(`${formatCountOf(layout.foldedFrames, 'frame')} folded into chains (›)`);
  }
  if (drawn.strippedFunctions > 0) {
    remarks.push(
      `${formatCountOf(drawn.strippedFunctions, 'allocator and thread function')} left out`,
    );
  }
  if (layout.hiddenRows > 0) remarks.push(`+${layout.hiddenRows} deeper rows not drawn`);
  if (profile.skippedLines > 0) {
    remarks.push(`${formatCountOf(profile.skippedLines, 'line')} of the input left out`);
  }
  if (profile.sampleCount !== undefined && profile.sampleCount < 10) {
    remarks.push(`weak: only ${formatCountOf(profile.sampleCount, 'sample')}`);
  }
  return remarks;
}

/** An empty picture says why it is empty. */
function nothing(colour: string, { profile, measure }: FlameRequest): Markup {
  const what = measure === 'count' ? 'objects' : 'bytes';
  const why =
    profile.stackCount === 0
      ? 'The profile has no stacks.'
      : `The ${formatCountOf(profile.stackCount, 'stack')} of this profile hold no ${what}.`;
  return textElement(
    'text',
    { x: CARD.marginPx, y: CARD.bodyTopPx + 40, 'font-size': 28, fill: colour },
    why,
  );
}

export function formatValue(value: number, measure: 'bytes' | 'count'): string {
  return measure === 'bytes' ? formatBytes(value) : `${formatCount(value)} objects`;
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}
