import type { DrawnTree } from '../../src/flame/drawn-tree.ts';
import { formatBytes, formatCountOf } from '../../src/format.ts';
import type { DrawnWasteClass } from '../../src/picture-request.ts';
import { drawable, type FontSetting, fitStart, textWidth } from '../../src/text-width.ts';
import type { Bytes, Px } from '../../src/units.ts';
import { axisBytes } from './axis-words.ts';
import type { FlameCard } from './flame-card.ts';
import { siteLines } from './flame-panel.ts';
import {
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

const CLASS_LIMIT = 8;
const HOLDER_LIMIT = 3;
const FONT: FontSetting = { sizePx: 24 };
const CLASS_PX = 62;
const BAR_PX = 18;
const SWATCH_PX = 18;
const LIVE_FILL = '#1d68a6';
const WASTE_FILL = '#d0680f';

/** Beside the chart: what each size class holds live and wastes, all to one scale, and the largest holders. */
export function wastePanel(
  classes: readonly DrawnWasteClass[],
  drawn: DrawnTree,
): FlameCard['panel'] {
  const bars = classBars(classes);
  const holders = siteLines(drawn, 'bytes').slice(0, HOLDER_LIMIT);
  const holdersTopPx = HEADING_PX + bars.length * CLASS_PX + SECTION_GAP_PX;
  return {
    heightPx: holdersTopPx + HEADING_PX + functionLinesHeight(holders.length),
    draw(place, colours) {
      const below = (px: Px): PanelPlace => ({ ...place, topPx: place.topPx + px });
      const longest = Math.max(
        1,
        ...bars.map(({ liveBytes, wasteBytes }) => liveBytes + wasteBytes),
      );
      return [
        panelHeading('By size class', place, colours),
        legend(place, colours),
        ...bars.map((bar, index) =>
          classBar(bar, longest, { place: below(HEADING_PX + index * CLASS_PX), colours }),
        ),
        panelHeading('Top holders', below(holdersTopPx), colours),
        functionLines(holders, below(holdersTopPx + HEADING_PX), colours),
      ];
    },
  };
}

interface ClassBar {
  readonly name: string;
  readonly liveBytes: Bytes;
  readonly wasteBytes: Bytes;
}

/** Those with most waste one by one, the others as one sum. */
function classBars(classes: readonly DrawnWasteClass[]): readonly ClassBar[] {
  const shown = classes.length > CLASS_LIMIT + 1 ? CLASS_LIMIT : classes.length;
  const others = classes.slice(shown);
  const sum = (key: 'liveBytes' | 'wasteBytes') =>
    others.reduce((total, one) => total + one[key], 0);
  return [
    ...classes.slice(0, shown).map((one) => ({ ...one, name: nameOf(one) })),
    ...(others.length === 0
      ? []
      : [
          {
            name: `${formatCountOf(others.length, 'other class', 'other classes')}`,
            liveBytes: sum('liveBytes'),
            wasteBytes: sum('wasteBytes'),
          },
        ]),
  ];
}

function nameOf({ sizeBytes, arena, purpose }: DrawnWasteClass): string {
  return [
    axisBytes(sizeBytes),
    ...(arena === undefined ? [] : [`arena ${arena}`]),
    ...(purpose === '' ? [] : [purpose]),
  ].join(' · ');
}

function classBar(
  { name, liveBytes, wasteBytes }: ClassBar,
  longest: Bytes,
  { place, colours }: { readonly place: PanelPlace; readonly colours: ThemeColours },
): Markup {
  const { leftPx, topPx } = place;
  const value = formatBytes(wasteBytes);
  const nameRoom = PANEL_WIDTH_PX - textWidth(value, FONT) - 16;
  const livePx = (liveBytes / longest) * PANEL_WIDTH_PX;
  const wastePx = (wasteBytes / longest) * PANEL_WIDTH_PX;
  const bar = { y: topPx + 32, height: BAR_PX };
  return element(
    'g',
    { 'font-size': FONT.sizePx, fill: colours.text },
    textElement('text', { x: leftPx, y: topPx + 24 }, fitStart(drawable(name), nameRoom, FONT)),
    textElement('text', { x: leftPx + PANEL_WIDTH_PX, y: topPx + 24, 'text-anchor': 'end' }, value),
    element('rect', { x: leftPx, ...bar, width: livePx, fill: LIVE_FILL }),
    element('rect', { x: leftPx + livePx, ...bar, width: wastePx, fill: WASTE_FILL }),
  );
}

/** Right of the heading. */
function legend({ leftPx, topPx }: PanelPlace, colours: ThemeColours): Markup {
  let right = leftPx + PANEL_WIDTH_PX;
  const entries = [
    { word: 'waste', fill: WASTE_FILL },
    { word: 'live', fill: LIVE_FILL },
  ].flatMap(({ word, fill }) => {
    const x = right - textWidth(word, FONT);
    right = x - SWATCH_PX - 26;
    const swatch = { x: x - SWATCH_PX - 8, y: topPx + 11, width: SWATCH_PX, height: SWATCH_PX };
    return [element('rect', { ...swatch, fill }), textElement('text', { x, y: topPx + 28 }, word)];
  });
  return element('g', { 'font-size': FONT.sizePx, fill: colours.muted }, entries);
}
