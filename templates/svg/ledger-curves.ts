import { type LedgerCurve, layoutLedgerCurves } from '../../src/chart/ledger-curves.ts';
import type { LedgerHistory } from '../../src/chart/ledger-history.ts';
import { formatBytes, formatDuration, formatUtc } from '../../src/format.ts';
import type { Theme } from '../../src/picture-request.ts';
import { type FontSetting, textWidth } from '../../src/text-width.ts';
import type { EpochMicros, Px } from '../../src/units.ts';
import { type Area, amountLabelsWidth, axes, TIME_LABELS_PX } from './axes.ts';
import { axisBytes } from './axis-words.ts';
import { levelLine } from './ledger-colours.ts';
import { themeColours } from './theme.ts';
import { element, type Markup, number, textElement } from './xml.ts';

const HEADING_PX = 48;
const FONT: FontSetting = { sizePx: 24 };
const LABEL_LINE_PX = 32;
const LABEL_GAP_PX = 40;
const DAY: EpochMicros = 86_400e6;

/** The last hours of every level, each named where its curve ends. */
export function ledgerCurves(history: LedgerHistory, place: Area, theme: Theme): readonly Markup[] {
  const colours = themeColours[theme];
  const layout = layoutLedgerCurves(history);
  const amounts = layout.byteTicks.map(({ bytes, y }) => ({ at: y, label: axisBytes(bytes) }));
  const isLong = history.endAtMicros - history.startAtMicros > 2 * DAY;
  const times = layout.timeTicks.map(({ atMicros, x }) => ({
    at: x,
    label: isLong ? formatUtc(atMicros).slice(5, 10) : formatUtc(atMicros).slice(11, 16),
  }));
  const amountsPx = amountLabelsWidth(amounts);
  const namesPx = Math.max(...layout.curves.map((curve) => textWidth(labelOf(curve), FONT)));
  const area: Area = {
    leftPx: place.leftPx + amountsPx,
    topPx: place.topPx + HEADING_PX,
    widthPx: place.widthPx - amountsPx - namesPx - LABEL_GAP_PX,
    heightPx: place.heightPx - HEADING_PX - TIME_LABELS_PX,
  };
  const spanMs = (history.endAtMicros - history.startAtMicros) / 1000;
  return [
    textElement(
      'text',
      {
        x: place.leftPx,
        y: place.topPx + 26,
        'font-size': 26,
        'font-weight': 700,
        fill: colours.text,
      },
      `The last ${formatDuration(spanMs)}, in UTC`,
    ),
    axes(area, { amounts, times }, colours),
    ...layout.curves.map((curve) => curveLine(curve, area, theme)),
    ...curveLabels(layout.curves, area, theme),
  ];
}

function labelOf({ level, lastBytes }: LedgerCurve): string {
  return `${level} ${formatBytes(lastBytes)}`;
}

function curveLine({ level, points }: LedgerCurve, area: Area, theme: Theme): Markup {
  const corners = points.map(({ x, y }) => `${number(xOf(x, area))} ${number(yOf(y, area))}`);
  return element('path', {
    d: `M${corners.join('L')}`,
    fill: 'none',
    stroke: levelLine(level, theme),
    'stroke-width': 3,
    'stroke-linejoin': 'round',
    // What the server believes, not what the allocator counts.
    'stroke-dasharray': level === 'tracked' ? '10 6' : undefined,
  });
}

/** Each beside the end of its curve, moved apart where curves end close to each other. */
function curveLabels(curves: readonly LedgerCurve[], area: Area, theme: Theme): readonly Markup[] {
  const right = area.leftPx + area.widthPx;
  const ends = curves
    .map((curve) => ({ curve, endY: yOf(curve.points.at(-1)?.y ?? 0, area) }))
    .sort((a, b) => a.endY - b.endY);
  const heights = apart(
    ends.map(({ endY }) => endY),
    { least: area.topPx, most: area.topPx + area.heightPx },
  );
  return ends.map(({ curve, endY }, index) => {
    const y = heights[index] as number;
    const stroke = levelLine(curve.level, theme);
    const d = `M${number(right)} ${number(endY)}L${number(right + LABEL_GAP_PX - 8)} ${number(y)}`;
    return element(
      'g',
      {},
      element('path', { d, fill: 'none', stroke, 'stroke-width': 2 }),
      textElement(
        'text',
        {
          x: right + LABEL_GAP_PX,
          y: y + 8,
          'font-size': FONT.sizePx,
          fill: themeColours[theme].text,
        },
        labelOf(curve),
      ),
    );
  });
}

/** Rising heights, each at least a line below the one before, as near to where they were as that allows. */
function apart(
  heights: readonly Px[],
  { least, most }: { readonly least: Px; readonly most: Px },
): readonly Px[] {
  const placed: number[] = [];
  for (const height of heights) {
    placed.push(Math.max(height, (placed.at(-1) ?? least - LABEL_LINE_PX) + LABEL_LINE_PX));
  }
  let free = most;
  for (let index = placed.length - 1; index >= 0; index -= 1) {
    placed[index] = Math.min(placed[index] as number, free);
    free = (placed[index] as number) - LABEL_LINE_PX;
  }
  return placed;
}

function xOf(share: number, { leftPx, widthPx }: Area): Px {
  return leftPx + share * widthPx;
}

function yOf(share: number, { topPx, heightPx }: Area): Px {
  return topPx + (1 - share) * heightPx;
}
