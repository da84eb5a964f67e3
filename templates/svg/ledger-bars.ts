import type { BarSegment, LedgerBar } from '../../src/chart/ledger-bars.ts';
import { BOX_TEXT } from '../../src/flame/palette.ts';
import { formatBytes } from '../../src/format.ts';
import { drawable, type FontSetting, textWidth } from '../../src/text-width.ts';
import type { Px } from '../../src/units.ts';
import { axisBytes } from './axis-words.ts';
import { segmentFill } from './ledger-colours.ts';
import type { ThemeColours } from './theme.ts';
import { element, type Markup, number, textElement } from './xml.ts';

/** Heights of one level: its bar, the line below that names the parts too narrow for a label, and air. */
export interface BarSizes {
  readonly barPx: Px;
  readonly namesPx: Px;
  readonly gapPx: Px;
}

export interface BarsPlace extends BarSizes {
  readonly leftPx: Px;
  readonly topPx: Px;
  readonly widthPx: Px;
}

const FONT: FontSetting = { sizePx: 24 };
const NAMES_FONT: FontSetting = { sizePx: 22 };
/** Where the levels are named, left of the bars. */
const LEVELS_PX = 176;
const PADDING_PX = 10;
const SWATCH_PX = 16;
const SWATCH_GAP_PX = 8;
const NAME_GAP_PX = 22;

/** Height of all bars. */
export function barsHeight(count: number, { barPx, namesPx, gapPx }: BarSizes): Px {
  return count * (barPx + namesPx + gapPx);
}

/** The levels one below the other, all to one scale. */
export function ledgerBars(
  bars: readonly LedgerBar[],
  place: BarsPlace,
  colours: ThemeColours,
): readonly Markup[] {
  const step = barsHeight(1, place);
  return bars.map((bar, index) =>
    element('g', {}, levelBar(bar, { ...place, topPx: place.topPx + index * step }, colours)),
  );
}

/** A segment with its place on the canvas. */
interface DrawnSegment {
  readonly segment: BarSegment;
  readonly fill: string;
  readonly x: Px;
  readonly width: Px;
  /** Undefined when it has no room; the line below the bar names the segment then. */
  readonly label: string | undefined;
}

function levelBar(bar: LedgerBar, place: BarsPlace, colours: ThemeColours): readonly Markup[] {
  const left = place.leftPx + LEVELS_PX;
  const width = place.widthPx - LEVELS_PX;
  const segments = bar.segments.map((segment, index) =>
    drawnSegment(segment, { index, left, width }),
  );
  const { topPx, barPx } = place;
  const baseline = topPx + barPx / 2 + 8;
  return [
    textElement(
      'text',
      {
        x: place.leftPx,
        y: topPx + barPx / 2 - 3,
        'font-size': 26,
        'font-weight': 700,
        fill: colours.text,
      },
      bar.level.name,
    ),
    textElement(
      'text',
      { x: place.leftPx, y: topPx + barPx / 2 + 24, 'font-size': FONT.sizePx, fill: colours.muted },
      formatBytes(bar.level.bytes),
    ),
    ...segments.map(({ fill, x, width: segmentPx }) =>
      element('rect', { x, y: topPx, width: Math.max(1, segmentPx - 2), height: barPx, fill }),
    ),
    element(
      'g',
      { 'font-size': FONT.sizePx, fill: BOX_TEXT },
      segments.flatMap(({ label, x }) =>
        label === undefined ? [] : [textElement('text', { x: x + PADDING_PX, y: baseline }, label)],
      ),
    ),
    ...levelEnd(bar, { ...place, leftPx: left, widthPx: width }, colours),
    ...namesLine(segments, bar, { ...place, leftPx: left, widthPx: width }, colours),
  ];
}

function drawnSegment(
  segment: BarSegment,
  { index, left, width }: { readonly index: number; readonly left: Px; readonly width: Px },
): DrawnSegment {
  const name = drawable(segment.name);
  const room = segment.length * width - 2 - 2 * PADDING_PX;
  const label = [`${name}  ${formatBytes(segment.bytes)}`, name].find(
    (text) => textWidth(text, FONT) <= room,
  );
  return {
    segment,
    fill: segmentFill(segment, index),
    x: left + segment.start * width,
    width: segment.length * width,
    label,
  };
}

/** Where the level ends, when its known parts run out of it. */
function levelEnd(
  { length, excessBytes }: LedgerBar,
  { leftPx, topPx, widthPx, barPx }: BarsPlace,
  colours: ThemeColours,
): readonly Markup[] {
  if (excessBytes <= 0) return [];
  return [
    element('path', {
      d: `M${number(leftPx + length * widthPx)} ${topPx - 5}v${barPx + 10}`,
      stroke: colours.text,
      'stroke-width': 3,
      'stroke-dasharray': '5 4',
    }),
  ];
}

/** Names and amounts of what the bar has no room to name; the smallest are left out when the line is full. */
function namesLine(
  segments: readonly DrawnSegment[],
  { excessBytes }: LedgerBar,
  { leftPx, topPx, widthPx, barPx }: BarsPlace,
  colours: ThemeColours,
): readonly Markup[] {
  const y = topPx + barPx + 25;
  const entries = segments.flatMap(({ segment, fill, label }) => {
    const bytes = formatBytes(segment.bytes);
    if (label?.endsWith(bytes)) return [];
    return [
      {
        text: `${drawable(segment.name)} ${axisBytes(segment.bytes)}`,
        fill: fill as string | undefined,
      },
    ];
  });
  if (excessBytes > 0) {
    entries.push({
      text: `parts exceed the level by ${formatBytes(excessBytes)}`,
      fill: undefined,
    });
  }
  const line: Markup[] = [];
  let x = leftPx;
  for (const { text, fill } of entries) {
    const swatchPx = fill === undefined ? 0 : SWATCH_PX + SWATCH_GAP_PX;
    const end = x + swatchPx + textWidth(text, NAMES_FONT);
    if (end > leftPx + widthPx) continue;
    if (fill !== undefined) {
      line.push(element('rect', { x, y: y - 16, width: SWATCH_PX, height: SWATCH_PX, fill }));
    }
    line.push(textElement('text', { x: x + swatchPx, y }, text));
    x = end + NAME_GAP_PX;
  }
  if (line.length === 0) return [];
  return [element('g', { 'font-size': NAMES_FONT.sizePx, fill: colours.muted }, line)];
}
