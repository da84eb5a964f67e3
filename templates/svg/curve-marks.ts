import type { CurvePeak } from '../../src/chart/curve-layout.ts';
import type { Px } from '../../src/units.ts';
import type { Area } from './axes.ts';
import type { ThemeColours } from './theme.ts';
import { element, type Markup, textElement } from './xml.ts';

const RADIUS_PX = 17;
const NUMBER_PX = 23;
/** From a point of the curve to the middle of its mark. */
const LIFT_PX = 30;

interface Spot {
  readonly x: Px;
  readonly y: Px;
}

/** Numbered marks at the peaks, and a line from the highest down to the time axis. */
export function peakMarks(
  peaks: readonly CurvePeak[],
  area: Area,
  colours: ThemeColours,
): readonly Markup[] {
  const points = peaks.map((peak) => pointOf(peak, area));
  const spots = placeMarks(points, area);
  const highest = points[0];
  return [
    ...(highest === undefined ? [] : [dropLine(highest, area, colours)]),
    ...points.map((point, index) =>
      numberMark(`${index + 1}`, point, { spot: spots[index] as Spot, colours }),
    ),
  ];
}

/** The number of a peak in its ring, as it stands in the chart and in the list of peaks. */
export function ring(text: string, { x, y }: Spot, colours: ThemeColours): readonly Markup[] {
  return [
    element('circle', {
      cx: x,
      cy: y,
      r: RADIUS_PX,
      fill: colours.card,
      stroke: colours.accent,
      'stroke-width': 3,
    }),
    textElement(
      'text',
      {
        x,
        y: y + 8,
        'font-size': NUMBER_PX,
        'font-weight': 700,
        'text-anchor': 'middle',
        fill: colours.text,
      },
      text,
    ),
  ];
}

function pointOf({ x, y }: CurvePeak, { leftPx, topPx, widthPx, heightPx }: Area): Spot {
  return { x: leftPx + x * widthPx, y: topPx + (1 - y) * heightPx };
}

function dropLine({ x, y }: Spot, { topPx, heightPx }: Area, colours: ThemeColours): Markup {
  return element('path', {
    d: `M${Math.round(x)} ${Math.round(y)}V${topPx + heightPx}`,
    stroke: colours.text,
    'stroke-width': 2,
    'stroke-dasharray': '3 7',
  });
}

function numberMark(
  text: string,
  point: Spot,
  { spot, colours }: { readonly spot: Spot; readonly colours: ThemeColours },
): Markup {
  return element(
    'g',
    {},
    element('path', {
      d: `M${point.x.toFixed(1)} ${point.y.toFixed(1)}L${spot.x.toFixed(1)} ${spot.y.toFixed(1)}`,
      stroke: colours.accent,
      'stroke-width': 2,
    }),
    element('circle', { cx: point.x, cy: point.y, r: 6, fill: colours.accent }),
    ring(text, spot, colours),
  );
}

/** Above each point; to the side where that would cover the mark of a higher peak. */
function placeMarks(points: readonly Spot[], area: Area): readonly Spot[] {
  const placed: Spot[] = [];
  const apart = 2 * RADIUS_PX + 6;
  for (const { x, y } of points) {
    const candidates = [0, 1, -1, 2, -2, 3, -3].map((side) =>
      within({ x: x + side * apart, y: y - LIFT_PX }, area),
    );
    const isFree = (spot: Spot) =>
      placed.every((other) => Math.hypot(other.x - spot.x, other.y - spot.y) >= apart - 1);
    placed.push(candidates.find(isFree) ?? (candidates[0] as Spot));
  }
  return placed;
}

function within({ x, y }: Spot, { leftPx, topPx, widthPx }: Area): Spot {
  return {
    x: Math.min(Math.max(x, leftPx + RADIUS_PX), leftPx + widthPx - RADIUS_PX),
    y: Math.max(y, topPx + RADIUS_PX),
  };
}
