import { type DrawnChange, drawnChange } from '../../src/flame/change.ts';
import { BOX_TEXT, OTHER_COLOUR } from '../../src/flame/palette.ts';
import { formatCount, formatSignedBytes } from '../../src/format.ts';
import type { BoxPaint } from './flame-chart.ts';
import type { ThemeColours } from './theme.ts';
import { element, type Markup } from './xml.ts';

/** More is orange, less is blue, for people who do not tell red from green; the words say it as well. */
const FILLS: Readonly<Record<Exclude<DrawnChange, 'gone'>, string>> = {
  new: '#b0520d',
  'grown most': '#b0520d',
  'grown much': '#96552c',
  'grown little': '#7d5a47',
  same: OTHER_COLOUR,
  'shrunk little': '#4d627c',
  'shrunk much': '#366591',
  'shrunk most': '#1d68a6',
};

/** How a change is painted; what is gone is only outlined. */
export function changePaint(
  before: number,
  after: number,
  colours: ThemeColours,
): Pick<BoxPaint, 'fill' | 'textFill' | 'outline'> {
  const change = drawnChange(before, after);
  if (change !== 'gone') return { fill: FILLS[change], textFill: BOX_TEXT };
  return { fill: 'url(#gone)', textFill: colours.text, outline: colours.accentSoft };
}

/** Faint lines over the card: the text on them is read as on the card. */
export function gonePattern(colours: ThemeColours): Markup {
  return element(
    'pattern',
    { id: 'gone', width: 12, height: 12, patternUnits: 'userSpaceOnUse' },
    element('rect', { width: 12, height: 12, fill: colours.card }),
    element('path', {
      d: 'M0 12L12 0M-3 3L3 -3M9 15L15 9',
      stroke: colours.line,
      'stroke-width': 1.5,
    }),
  );
}

/** Readings of a change, the longest first: "+3.10 GiB (×2.4)", "NEW", "same". */
export function changeWords(
  before: number,
  after: number,
  measure: 'bytes' | 'count',
): readonly string[] {
  const change = signed(after - before, measure);
  switch (drawnChange(before, after)) {
    case 'new':
      return [`NEW ${change}`, 'NEW'];
    case 'gone':
      return [`GONE ${change}`, 'GONE'];
    case 'same':
      return ['same', '='];
    default:
      return [`${change} (${factor(before, after)})`, change, factor(before, after)];
  }
}

export function signed(change: number, measure: 'bytes' | 'count'): string {
  if (measure === 'bytes') return formatSignedBytes(change);
  return `${change > 0 ? '+' : ''}${formatCount(change)}`;
}

/** How many times as much it is now ("×2.4", "×0.05", "×1.03"). */
export function factor(before: number, after: number): string {
  const ratio = after / before;
  const digits = ratio > 0.9 && ratio < 1.1 ? 3 : 2;
  return `×${ratio >= 10 ? formatCount(ratio) : Number(ratio.toPrecision(digits))}`;
}
