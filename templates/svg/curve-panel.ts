import type { CurvePoint } from '../../src/chart/memory-curve.ts';
import {
  formatBytes,
  formatCountOf,
  formatDuration,
  formatShare,
  formatUtc,
} from '../../src/format.ts';
import type { CurveRequest } from '../../src/picture-request.ts';
import { confidenceOf } from '../../src/profile/confidence.ts';
import type { FontSetting } from '../../src/text-width.ts';
import type { Px } from '../../src/units.ts';
import { ring } from './curve-marks.ts';
import type { ThemeColours } from './theme.ts';
import { element, type Markup, textElement } from './xml.ts';

export const CURVE_PANEL_PX = 400;
/** How the server's own figure is drawn, in the chart and beside its amount. */
export const SERVER_DASHES = '12 8';

const HEADING: FontSetting = { sizePx: 26, weight: 'bold' };
const TEXT_PX = 24;
const VALUE_PX = 30;
const PEAK_PX = 116;
const LINE_PX = 34;
const INDENT_PX = 52;

interface PanelPlace {
  readonly leftPx: Px;
  readonly topPx: Px;
}

/** Beside the curve: its peaks with amount and time, and what the server itself says. */
export function curvePanel(
  request: CurveRequest,
  { leftPx, topPx }: PanelPlace,
  colours: ThemeColours,
): readonly Markup[] {
  const { curve } = request;
  const peaks = curve.peaks.slice(0, 3);
  const serverTop = topPx + 48 + peaks.length * PEAK_PX + 20;
  return [
    heading(peaks.length === 1 ? 'Peak' : 'Peaks', { leftPx, topPx }, colours),
    ...peaks.map((peak, index) =>
      peakLines(
        peak,
        { index, startAtMicros: curve.startAtMicros },
        {
          place: { leftPx, topPx: topPx + 48 + index * PEAK_PX },
          colours,
        },
      ),
    ),
    ...serverLines(request, { leftPx, topPx: serverTop }, colours),
  ];
}

function heading(text: string, { leftPx, topPx }: PanelPlace, colours: ThemeColours): Markup {
  return textElement(
    'text',
    {
      x: leftPx,
      y: topPx + 28,
      'font-size': HEADING.sizePx,
      'font-weight': 700,
      fill: colours.text,
    },
    text,
  );
}

function peakLines(
  { atMicros, liveBytes }: CurvePoint,
  { index, startAtMicros }: { readonly index: number; readonly startAtMicros: number },
  { place, colours }: { readonly place: PanelPlace; readonly colours: ThemeColours },
): Markup {
  const { leftPx, topPx } = place;
  const x = leftPx + INDENT_PX;
  const sinceStartMs = Math.max(0, (atMicros - startAtMicros) / 1000);
  return element(
    'g',
    { 'font-size': TEXT_PX, fill: colours.muted },
    ring(`${index + 1}`, { x: leftPx + 18, y: topPx + 22 }, colours),
    textElement(
      'text',
      { x, y: topPx + 32, 'font-size': VALUE_PX, 'font-weight': 700, fill: colours.text },
      formatBytes(liveBytes),
    ),
    textElement('text', { x, y: topPx + 64 }, `after ${formatDuration(sinceStartMs)}`),
    textElement('text', { x, y: topPx + 94 }, formatUtc(atMicros)),
  );
}

/** The server's own figure with the line that it has in the chart, and how much of it the samples explain. */
function serverLines(
  { curve, estimateBytes, sampleCount }: CurveRequest,
  { leftPx, topPx }: PanelPlace,
  colours: ThemeColours,
): readonly Markup[] {
  const { serverPeakBytes } = curve;
  const { errorShare, isWeak } = confidenceOf(sampleCount);
  const x = leftPx + INDENT_PX;
  const lines: { readonly text: string; readonly fill: string }[] = [];
  if (serverPeakBytes !== undefined && serverPeakBytes > 0) {
    lines.push({
      text: `Estimate: ${formatShare(estimateBytes / serverPeakBytes)} of it`,
      fill: colours.muted,
    });
  }
  if (sampleCount !== undefined) {
    const error = errorShare === undefined ? '' : `, ± ${formatShare(errorShare)}`;
    lines.push({
      text: `${isWeak ? 'Weak: only ' : ''}${formatCountOf(sampleCount, 'sample')}${error}`,
      fill: isWeak ? colours.accent : colours.muted,
    });
  }
  return [
    heading("The server's own peak", { leftPx, topPx }, colours),
    ...(serverPeakBytes === undefined
      ? []
      : [
          element('path', {
            d: `M${leftPx} ${topPx + 72}h36`,
            stroke: colours.accentSoft,
            'stroke-width': 3,
            'stroke-dasharray': SERVER_DASHES,
          }),
        ]),
    textElement(
      'text',
      { x, y: topPx + 82, 'font-size': VALUE_PX, 'font-weight': 700, fill: colours.text },
      serverPeakBytes === undefined ? 'not known' : formatBytes(serverPeakBytes),
    ),
    element(
      'g',
      { 'font-size': TEXT_PX },
      lines.map(({ text, fill }, index) =>
        textElement('text', { x, y: topPx + 116 + index * LINE_PX, fill }, text),
      ),
    ),
  ];
}
