import { type FontSetting, textWidth } from '../../src/text-width.ts';
import type { Px, Share } from '../../src/units.ts';
import type { ThemeColours } from './theme.ts';
import { element, type Markup, textElement } from './xml.ts';

/** A rectangle on the canvas. */
export interface Area {
  readonly leftPx: Px;
  readonly topPx: Px;
  readonly widthPx: Px;
  readonly heightPx: Px;
}

export interface Tick {
  /** In the unit square: to the right, or upwards. */
  readonly at: Share;
  readonly label: string;
}

const AXIS_FONT: FontSetting = { sizePx: 24 };
/** What the labels below a chart need. */
export const TIME_LABELS_PX = 44;
const LABEL_GAP_PX = 14;

/** What the labels beside a chart need. */
export function amountLabelsWidth(ticks: readonly Tick[]): Px {
  return Math.max(...ticks.map(({ label }) => textWidth(label, AXIS_FONT)), 0) + LABEL_GAP_PX;
}

/** Lines across the chart with amounts to their left, and short marks with times below it. */
export function axes(
  area: Area,
  { amounts, times }: { readonly amounts: readonly Tick[]; readonly times: readonly Tick[] },
  colours: ThemeColours,
): Markup {
  const { leftPx, topPx, widthPx, heightPx } = area;
  const bottom = topPx + heightPx;
  const heightOf = (at: Share) => Math.round(bottom - at * heightPx);
  const lines = amounts.map(({ at }) => `M${leftPx} ${heightOf(at)}h${widthPx}`);
  const marks = times.map(({ at }) => `M${Math.round(leftPx + at * widthPx)} ${bottom}v8`);
  return element(
    'g',
    { 'font-size': AXIS_FONT.sizePx, fill: colours.muted },
    element('path', {
      fill: 'none',
      stroke: colours.line,
      'shape-rendering': 'crispEdges',
      d: [...lines, ...marks].join('\n'),
    }),
    amounts.map(({ at, label }) =>
      textElement(
        'text',
        { x: leftPx - LABEL_GAP_PX, y: heightOf(at) + 8, 'text-anchor': 'end' },
        label,
      ),
    ),
    timeLabels(times, area),
  );
}

/** Those that find room: the last ones would stand out of the card, narrow charts have none between two. */
function timeLabels(
  times: readonly Tick[],
  { leftPx, topPx, widthPx, heightPx }: Area,
): readonly Markup[] {
  const labels: Markup[] = [];
  let free = leftPx - LABEL_GAP_PX;
  for (const { at, label } of times) {
    const half = textWidth(label, AXIS_FONT) / 2;
    const x = Math.min(leftPx + at * widthPx, leftPx + widthPx - half);
    if (x - half < free) continue;
    free = x + half + LABEL_GAP_PX;
    labels.push(
      textElement('text', { x, y: topPx + heightPx + 34, 'text-anchor': 'middle' }, label),
    );
  }
  return labels;
}
