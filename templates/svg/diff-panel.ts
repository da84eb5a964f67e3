import type { DiffTree } from '../../src/flame/diff-tree.ts';
import { formatBytes, formatCount, formatShare } from '../../src/format.ts';
import type { DiffRequest } from '../../src/picture-request.ts';
import type { DiffRow } from '../../src/profile/diff.ts';
import { drawable, fitStart, textWidth } from '../../src/text-width.ts';
import type { Px } from '../../src/units.ts';
import { changePaint, changeWords, factor, signed } from './change.ts';
import type { FlameCard } from './flame-card.ts';
import {
  type FunctionLine,
  functionLines,
  functionLinesHeight,
  HEADING_PX,
  PANEL_WIDTH_PX,
  type PanelPlace,
  panelHeading,
  SECTION_GAP_PX,
} from './panel.ts';
import type { ThemeColours } from './theme.ts';
import { element, type Markup, textElement } from './xml.ts';

const ROW_LIMIT = 5;
const LINE_PX = 36;
const FONT = { sizePx: 24 } as const;
const CHIP = { heightPx: 38, gapPx: 8 } as const;

/** Beside the chart: both totals, what the colours mean, and the functions that changed most. */
export function diffPanel(diff: DiffTree, request: DiffRequest): FlameCard['panel'] {
  const { measure } = request;
  const totals = totalLines(diff, request);
  const lists = [
    { heading: 'Grown most', rows: diff.rows.filter(({ change }) => change > 0) },
    { heading: 'Shrunk most', rows: diff.rows.filter(({ change }) => change < 0) },
  ]
    .map(({ heading, rows }) => ({
      heading,
      lines: changeLines(rows.slice(0, ROW_LIMIT), measure),
    }))
    .filter(({ lines }) => lines.length > 0);
  const legendTop = HEADING_PX + totals.length * LINE_PX + 12;
  const listsTop = legendTop + CHIP.heightPx + SECTION_GAP_PX;
  const listHeight = (lines: readonly FunctionLine[]) =>
    HEADING_PX + functionLinesHeight(lines.length) + 8;
  return {
    heightPx: listsTop + lists.reduce((sum, { lines }) => sum + listHeight(lines), 0),
    draw(place, colours) {
      const below = (px: Px): PanelPlace => ({ ...place, topPx: place.topPx + px });
      let top = listsTop;
      const drawnLists = lists.flatMap(({ heading, lines }) => {
        const at = top;
        top += listHeight(lines);
        return [
          panelHeading(heading, below(at), colours),
          functionLines(lines, below(at + HEADING_PX), colours),
        ];
      });
      return [
        panelHeading('Before → after', place, colours),
        drawTotals(totals, below(HEADING_PX), colours),
        legend(below(legendTop), colours),
        ...drawnLists,
      ];
    },
  };
}

interface TotalLine {
  readonly name: string;
  readonly value: string;
  readonly isWarning?: boolean;
}

function totalLines(diff: DiffTree, { measure, names }: DiffRequest): readonly TotalLine[] {
  const { beforeTotal, afterTotal, matchedShare, isDoubtful } = diff;
  const amount = (value: number) => (measure === 'bytes' ? formatBytes(value) : formatCount(value));
  const [change = ''] = changeWords(beforeTotal, afterTotal, measure);
  return [
    { name: names?.before ?? 'before', value: amount(beforeTotal) },
    { name: names?.after ?? 'after', value: amount(afterTotal) },
    { name: 'change', value: change },
    ...(isDoubtful
      ? [
          {
            name: 'doubtful: matched by name',
            value: formatShare(matchedShare),
            isWarning: true,
          },
        ]
      : []),
  ];
}

function drawTotals(
  lines: readonly TotalLine[],
  { leftPx, topPx }: PanelPlace,
  colours: ThemeColours,
): Markup {
  return element(
    'g',
    { 'font-size': FONT.sizePx },
    lines.flatMap(({ name, value, isWarning }, index) => {
      const y = topPx + index * LINE_PX + 24;
      const room = PANEL_WIDTH_PX - textWidth(value, FONT) - 12;
      const nameFill = isWarning ? colours.accent : colours.muted;
      return [
        textElement('text', { x: leftPx, y, fill: nameFill }, fitStart(drawable(name), room, FONT)),
        textElement(
          'text',
          { x: leftPx + PANEL_WIDTH_PX, y, 'text-anchor': 'end', fill: colours.text },
          value,
        ),
      ];
    }),
  );
}

/** One box for each meaning of a colour, painted as in the chart. */
function legend({ leftPx, topPx }: PanelPlace, colours: ThemeColours): Markup {
  const chips = [
    { word: 'grown', before: 1, after: 3 },
    { word: 'NEW', before: 0, after: 1 },
    { word: 'shrunk', before: 3, after: 1 },
    { word: 'GONE', before: 1, after: 0 },
    { word: 'same', before: 1, after: 1 },
  ];
  const widthPx = (PANEL_WIDTH_PX - (chips.length - 1) * CHIP.gapPx) / chips.length;
  return element(
    'g',
    { 'font-size': FONT.sizePx, 'text-anchor': 'middle' },
    chips.flatMap(({ word, before, after }, index) => {
      const { fill, textFill, outline } = changePaint(before, after, colours);
      const x = leftPx + index * (widthPx + CHIP.gapPx);
      const dashes = outline === undefined ? {} : { stroke: outline, 'stroke-dasharray': '6 4' };
      return [
        element('rect', { x, y: topPx, width: widthPx, height: CHIP.heightPx, fill, ...dashes }),
        textElement('text', { x: x + widthPx / 2, y: topPx + 27, fill: textFill }, word),
      ];
    }),
  );
}

function changeLines(
  rows: readonly DiffRow[],
  measure: 'bytes' | 'count',
): readonly FunctionLine[] {
  return rows.map(({ name, before, after, change, kind, isWeak }) => ({
    name,
    remark: [
      ...(isWeak ? ['weak'] : []),
      kind === 'new' || kind === 'gone' ? kind.toUpperCase() : factor(before, after),
    ].join(' · '),
    value: signed(change, measure),
  }));
}
