import type { DrawnTree } from '../../src/flame/drawn-tree.ts';
import { subsystemColour } from '../../src/flame/palette.ts';
import { formatBytes, formatCount, formatShare } from '../../src/format.ts';
import { shortenName } from '../../src/profile/short-name.ts';
import { UNEXPLAINED } from '../../src/profile/subsystems.ts';
import { drawable, type FontSetting, fitEnd, fitStart } from '../../src/text-width.ts';
import type { Px } from '../../src/units.ts';
import type { ThemeColours } from './theme.ts';
import { element, type Markup, textElement } from './xml.ts';

export const PANEL_WIDTH_PX = 440;

const HEADING: FontSetting = { sizePx: 26, weight: 'bold' };
const TEXT: FontSetting = { sizePx: 24 };
const SUBSYSTEM_LINE_PX = 36;
const SITE_LINE_PX = 31;
const SITE_GAP_PX = 9;
const HEADING_PX = 48;
const SECTION_GAP_PX = 22;
const SWATCH_PX = 22;
const SUBSYSTEM_LIMIT = 6;
const VALUE_WIDTH_PX = 120;
const SHARE_WIDTH_PX = 66;

interface PanelOptions {
  readonly measure: 'bytes' | 'count';
  readonly colours: ThemeColours;
  readonly leftPx: Px;
  readonly topPx: Px;
}

export function panelHeight(drawn: DrawnTree, measure: 'bytes' | 'count'): Px {
  const subsystems = subsystemLines(drawn, measure).length;
  return (
    2 * HEADING_PX +
    SECTION_GAP_PX +
    subsystems * SUBSYSTEM_LINE_PX +
    drawn.sites.length * (2 * SITE_LINE_PX + SITE_GAP_PX)
  );
}

/** Beside the chart: what each subsystem holds, and where the most was asked for. */
export function panel(drawn: DrawnTree, options: PanelOptions): readonly Markup[] {
  const { measure, colours, leftPx, topPx } = options;
  const lines = subsystemLines(drawn, measure);
  const sitesTop = topPx + HEADING_PX + lines.length * SUBSYSTEM_LINE_PX + SECTION_GAP_PX;
  const heading = (text: string, y: Px) =>
    textElement(
      'text',
      { x: leftPx, y, 'font-size': HEADING.sizePx, 'font-weight': 700, fill: colours.text },
      text,
    );
  return [
    heading('By subsystem', topPx + 28),
    element(
      'g',
      { 'font-size': TEXT.sizePx, fill: colours.text },
      lines.flatMap((line, index) =>
        subsystemLine(line, leftPx, topPx + HEADING_PX + index * SUBSYSTEM_LINE_PX),
      ),
    ),
    heading('Top allocation sites', sitesTop + 28),
    element(
      'g',
      { 'font-size': TEXT.sizePx },
      drawn.sites.flatMap((site, index) =>
        siteLines(drawn, { ...options, index, yPx: sitesTop + HEADING_PX }, site),
      ),
    ),
  ];
}

interface SubsystemLine {
  readonly name: string;
  readonly colour: string;
  readonly share: number;
  readonly value: string;
}

/** The largest, the sum of the smaller ones, and always what no rule explains. */
function subsystemLines(
  { subsystems }: DrawnTree,
  measure: 'bytes' | 'count',
): readonly SubsystemLine[] {
  const explained = subsystems.filter(({ subsystem }) => subsystem !== UNEXPLAINED);
  const shown = explained.length > SUBSYSTEM_LIMIT + 1 ? SUBSYSTEM_LIMIT : explained.length;
  const lines = explained.slice(0, shown).map((row) => ({
    name: row.subsystem,
    colour: subsystemColour(row.subsystem),
    share: row.share,
    value: valueText(row, measure),
  }));
  const small = explained.slice(shown);
  if (small.length > 0) {
    const sum = (key: 'bytes' | 'count' | 'share') =>
      small.reduce((total, row) => total + row[key], 0);
    lines.push({
      name: `${small.length} smaller`,
      colour: '#525b69',
      share: sum('share'),
      value: valueText({ bytes: sum('bytes'), count: sum('count') }, measure),
    });
  }
  const rest = subsystems.find(({ subsystem }) => subsystem === UNEXPLAINED);
  if (rest === undefined) return lines;
  return [
    ...lines,
    {
      name: UNEXPLAINED,
      colour: subsystemColour(UNEXPLAINED),
      share: rest.share,
      value: valueText(rest, measure),
    },
  ];
}

function subsystemLine(
  { name, colour, share, value }: SubsystemLine,
  x: Px,
  y: Px,
): readonly Markup[] {
  const right = x + PANEL_WIDTH_PX;
  const shareRight = right - VALUE_WIDTH_PX;
  const nameRoom = shareRight - SHARE_WIDTH_PX - (x + SWATCH_PX + 12);
  return [
    element('rect', { x, y: y + 4, width: SWATCH_PX, height: SWATCH_PX, rx: 3, fill: colour }),
    textElement(
      'text',
      { x: x + SWATCH_PX + 12, y: y + 24 },
      fitStart(drawable(name), nameRoom, TEXT),
    ),
    textElement('text', { x: shareRight, y: y + 24, 'text-anchor': 'end' }, formatShare(share)),
    textElement('text', { x: right, y: y + 24, 'text-anchor': 'end' }, value),
  ];
}

function siteLines(
  drawn: DrawnTree,
  {
    measure,
    colours,
    leftPx,
    index,
    yPx,
  }: PanelOptions & { readonly index: number; readonly yPx: Px },
  site: DrawnTree['sites'][number],
): readonly Markup[] {
  const total = drawn.subsystems.reduce((sum, row) => sum + row[measure], 0);
  const value = measure === 'bytes' ? site.selfBytes : site.selfCount;
  const y = yPx + index * (2 * SITE_LINE_PX + SITE_GAP_PX);
  const right = leftPx + PANEL_WIDTH_PX;
  const weak = site.isWeak ? ` · ${site.samples} samples` : '';
  const name = fitEnd(drawable(shortenName(site.name)), PANEL_WIDTH_PX - 34, TEXT);
  return [
    textElement('text', { x: leftPx, y: y + 24, fill: colours.muted }, `${index + 1}`),
    textElement('text', { x: leftPx + 34, y: y + 24, fill: colours.text }, name),
    textElement(
      'text',
      {
        x: right - VALUE_WIDTH_PX,
        y: y + 24 + SITE_LINE_PX,
        'text-anchor': 'end',
        fill: colours.muted,
      },
      `${formatShare(total === 0 ? 0 : value / total)}${weak}`,
    ),
    textElement(
      'text',
      { x: right, y: y + 24 + SITE_LINE_PX, 'text-anchor': 'end', fill: colours.muted },
      valueText({ bytes: site.selfBytes, count: site.selfCount }, measure),
    ),
  ];
}

function valueText(
  row: { readonly bytes: number; readonly count: number },
  measure: 'bytes' | 'count',
): string {
  return measure === 'bytes' ? formatBytes(row.bytes) : formatCount(row.count);
}
