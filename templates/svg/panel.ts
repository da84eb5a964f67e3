import { drawnName } from '../../src/flame/drawn-name.ts';
import { drawable, type FontSetting, fitEnd, fitStart, textWidth } from '../../src/text-width.ts';
import type { Px } from '../../src/units.ts';
import type { ThemeColours } from './theme.ts';
import { element, type Markup, textElement } from './xml.ts';

/** Parts of the panel beside a flame chart: a heading, lines with a swatch, and functions in order. */

export const PANEL_WIDTH_PX: Px = 440;
/** What is below a heading begins so far below its top. */
export const HEADING_PX: Px = 48;
export const SECTION_GAP_PX: Px = 22;

const HEADING: FontSetting = { sizePx: 26, weight: 'bold' };
const TEXT: FontSetting = { sizePx: 24 };
const SWATCH_LINE_PX = 36;
const SWATCH_PX = 22;
const INDENT_PX = 34;
const FUNCTION_LINE_PX = 31;
const FUNCTION_GAP_PX = 9;
/** Values stand in a column of their own, as wide as the widest of them and at least this. */
const LEAST_VALUE_PX = 102;
const VALUE_GAP_PX = 18;
const SHARE_WIDTH_PX = 66;

export interface PanelPlace {
  readonly leftPx: Px;
  readonly topPx: Px;
}

export function panelHeading(
  text: string,
  { leftPx, topPx }: PanelPlace,
  colours: ThemeColours,
): Markup {
  return textElement(
    'text',
    {
      x: leftPx,
      y: topPx + 28,
      'font-size': HEADING.sizePx,
      'font-weight': 700,
      fill: colours.text,
    },
    drawable(text),
  );
}

/** A name with the colour that it has in the chart. */
export interface SwatchLine {
  readonly name: string;
  readonly colour: string;
  readonly share: string;
  readonly value: string;
}

export function swatchLinesHeight(count: number): Px {
  return count * SWATCH_LINE_PX;
}

export function swatchLines(
  lines: readonly SwatchLine[],
  { leftPx, topPx }: PanelPlace,
  colours: ThemeColours,
): Markup {
  return element(
    'g',
    { 'font-size': TEXT.sizePx, fill: colours.text },
    lines.flatMap((line, index) =>
      swatchLine(line, {
        leftPx,
        topPx: topPx + swatchLinesHeight(index),
        valuePx: valueColumn(lines),
      }),
    ),
  );
}

function valueColumn(lines: readonly { readonly value: string }[]): Px {
  return (
    VALUE_GAP_PX + Math.max(LEAST_VALUE_PX, ...lines.map(({ value }) => textWidth(value, TEXT)))
  );
}

function swatchLine(
  { name, colour, share, value }: SwatchLine,
  { leftPx, topPx, valuePx }: PanelPlace & { readonly valuePx: Px },
): readonly Markup[] {
  const x = leftPx + INDENT_PX;
  const y = topPx + 24;
  const right = leftPx + PANEL_WIDTH_PX;
  const shareRight = right - valuePx;
  const nameRoom = shareRight - SHARE_WIDTH_PX - x;
  const swatch = { x: leftPx, y: topPx + 4, width: SWATCH_PX, height: SWATCH_PX, rx: 3 };
  return [
    element('rect', { ...swatch, fill: colour }),
    textElement('text', { x, y }, fitStart(drawable(name), nameRoom, TEXT)),
    textElement('text', { x: shareRight, y, 'text-anchor': 'end' }, share),
    textElement('text', { x: right, y, 'text-anchor': 'end' }, value),
  ];
}

/** A function with what is said of it below its name. */
export interface FunctionLine {
  readonly name: string;
  /** Left of the value: a share, a remark. */
  readonly remark: string;
  readonly value: string;
}

export function functionLinesHeight(count: number): Px {
  return count * (2 * FUNCTION_LINE_PX + FUNCTION_GAP_PX);
}

/** Numbered functions, two lines each. */
export function functionLines(
  functions: readonly FunctionLine[],
  { leftPx, topPx }: PanelPlace,
  colours: ThemeColours,
): Markup {
  const valuePx = valueColumn(functions);
  return element(
    'g',
    { 'font-size': TEXT.sizePx, fill: colours.muted },
    functions.flatMap(({ name, remark, value }, index) => {
      const y = topPx + functionLinesHeight(index) + 24;
      const right = leftPx + PANEL_WIDTH_PX;
      const short = fitEnd(drawnName(name), PANEL_WIDTH_PX - INDENT_PX, TEXT);
      const below = { y: y + FUNCTION_LINE_PX, 'text-anchor': 'end' };
      return [
        textElement('text', { x: leftPx, y }, `${index + 1}`),
        textElement('text', { x: leftPx + INDENT_PX, y, fill: colours.text }, short),
        textElement('text', { x: right - valuePx, ...below }, remark),
        textElement('text', { x: right, ...below }, value),
      ];
    }),
  );
}
