import { type CurveLayout, layoutCurve } from '../../src/chart/curve-layout.ts';
import { formatBytes } from '../../src/format.ts';
import type { CurveRequest } from '../../src/picture-request.ts';
import { confidenceOf } from '../../src/profile/confidence.ts';
import { type Area, amountLabelsWidth, axes, TIME_LABELS_PX, type Tick } from './axes.ts';
import { axisBytes, axisSpan } from './axis-words.ts';
import { CARD, card, footerHeight, footerLines } from './card.ts';
import { peakMarks } from './curve-marks.ts';
import { CURVE_PANEL_PX, curvePanel, SERVER_DASHES } from './curve-panel.ts';
import { type ThemeColours, themeColours } from './theme.ts';
import { element, type Markup, number, textElement } from './xml.ts';

const SIZE_PX = { width: 1600, height: 900 } as const;
const COLUMN_GAP_PX = 44;

/** The live memory of a query over its life, with its peaks beside it and the server's own figure as a dashed line. */
export function curveSvg(request: CurveRequest): string {
  const { curve, theme = 'dark' } = request;
  const widthPx = request.widthPx ?? SIZE_PX.width;
  const colours = themeColours[theme];
  const footer = [
    `Estimated from samples; ${formatBytes(request.estimateBytes)} at the peak`,
    ...request.text.footer,
  ];
  const footerPx = footerHeight(footerLines(footer, widthPx - 2 * CARD.marginPx).length);
  const layout = layoutCurve(curve);
  const ticks = ticksOf(layout);
  const leftPx = CARD.marginPx + amountLabelsWidth(ticks.amounts);
  const rightPx = widthPx - CARD.marginPx - CURVE_PANEL_PX - COLUMN_GAP_PX;
  const area: Area = {
    leftPx,
    topPx: CARD.bodyTopPx,
    widthPx: rightPx - leftPx,
    heightPx: SIZE_PX.height - CARD.bodyTopPx - footerPx - TIME_LABELS_PX - 8,
  };
  const body =
    curve.points.length === 0
      ? [nothing(colours)]
      : [
          axes(area, ticks, colours),
          ...curveShape(layout, area, {
            colours,
            isWeak: confidenceOf(request.sampleCount).isWeak,
          }),
          ...serverLine(layout, area, colours),
          ...peakMarks(layout.peaks, area, colours),
        ];
  return card({ widthPx, heightPx: SIZE_PX.height }, { text: { ...request.text, footer }, theme }, [
    ...body,
    ...curvePanel(request, { leftPx: rightPx + COLUMN_GAP_PX, topPx: CARD.bodyTopPx - 6 }, colours),
  ]);
}

function ticksOf(layout: CurveLayout): {
  readonly amounts: readonly Tick[];
  readonly times: readonly Tick[];
} {
  const longest = layout.timeTicks.at(-1)?.sinceStartMicros ?? 0;
  return {
    amounts: layout.byteTicks.map(({ bytes, y }) => ({ at: y, label: axisBytes(bytes) })),
    times: layout.timeTicks.map(({ sinceStartMicros, x }) => ({
      at: x,
      label: axisSpan(sinceStartMicros, longest),
    })),
  };
}

/** A weak curve is dashed and its area hatched, so that it does not look like a measurement. */
function curveShape(
  { line, zeroY }: CurveLayout,
  { leftPx, topPx, widthPx, heightPx }: Area,
  { colours, isWeak }: { readonly colours: ThemeColours; readonly isWeak: boolean },
): readonly Markup[] {
  const x = (share: number) => number(leftPx + share * widthPx);
  const y = (share: number) => number(topPx + (1 - share) * heightPx);
  const [first, ...rest] = line;
  const corners = rest.map((corner) => `H${x(corner.x)}V${y(corner.y)}`).join('\n');
  const outline = `M${x(first?.x ?? 0)} ${y(first?.y ?? 0)}\n${corners}`;
  return [
    ...(isWeak ? [hatching(colours)] : []),
    element('path', {
      d: `${outline}\nV${y(zeroY)}H${x(0)}z`,
      ...(isWeak ? { fill: 'url(#hatching)' } : { fill: colours.accent, 'fill-opacity': 0.32 }),
    }),
    element('path', {
      d: outline,
      fill: 'none',
      stroke: colours.accent,
      'stroke-width': 3,
      'stroke-linejoin': 'round',
      'stroke-dasharray': isWeak ? '9 6' : undefined,
    }),
  ];
}

function hatching(colours: ThemeColours): Markup {
  return element(
    'pattern',
    { id: 'hatching', width: 14, height: 14, patternUnits: 'userSpaceOnUse' },
    element('path', {
      d: 'M0 14L14 0M-3 3L3 -3M11 17L17 11',
      stroke: colours.accent,
      'stroke-width': 2,
      opacity: 0.6,
    }),
  );
}

function serverLine(
  { serverPeakY }: CurveLayout,
  { leftPx, topPx, widthPx, heightPx }: Area,
  colours: ThemeColours,
): readonly Markup[] {
  if (serverPeakY === undefined) return [];
  return [
    element('path', {
      d: `M${number(leftPx)} ${number(topPx + (1 - serverPeakY) * heightPx)}h${number(widthPx)}`,
      stroke: colours.accentSoft,
      'stroke-width': 3,
      'stroke-dasharray': SERVER_DASHES,
    }),
  ];
}

function nothing(colours: ThemeColours): Markup {
  return textElement(
    'text',
    { x: CARD.marginPx, y: CARD.bodyTopPx + 40, 'font-size': 28, fill: colours.text },
    'No samples, so there is no curve.',
  );
}
