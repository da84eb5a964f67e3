import { drawnName } from '../../src/flame/drawn-name.ts';
import { boxLabel } from '../../src/flame/label.ts';
import type { FlameBox } from '../../src/flame/layout.ts';
import type { FontSetting } from '../../src/text-width.ts';
import type { Px } from '../../src/units.ts';
import { CARD, card, FONT_FAMILY, footerHeight, footerLines } from './card.ts';
import { COLUMN_GAP_PX, chartWidth, type FlameCard, nothing } from './flame-card.ts';
import { PANEL_WIDTH_PX } from './panel.ts';
import { type ThemeColours, themeColours } from './theme.ts';
import { element, type Markup, textElement, trustedElement } from './xml.ts';

const ROW_PX = 28;
const PADDING_PX = 5;
const FONT: FontSetting = { sizePx: 17 };
const LEAST_HEIGHT_PX = 900;
const SEARCH = { widthPx: PANEL_WIDTH_PX, heightPx: 48 } as const;
const TIP = { widthPx: 760, heightPx: 260 } as const;
/** Longer names are cut; they exist to 100 kB and more. */
const LONGEST_NAME = 1000;
const XHTML = 'http://www.w3.org/1999/xhtml';

/**
 * A flame graph that can be zoomed into and searched in a browser by the script, which is `flame-browser.js`. Where
 * scripts do not run it is still a whole picture.
 */
export function browserCard(picture: FlameCard, script: string): string {
  const { layout, text, theme, widthPx, panel } = picture;
  const colours = themeColours[theme];
  const chartPx = chartWidth(widthPx);
  const footerPx = footerHeight(footerLines(text.footer, widthPx - 2 * CARD.marginPx).length);
  const bodyPx = Math.max(layout.rowCount * ROW_PX, panel.heightPx);
  const heightPx = Math.max(LEAST_HEIGHT_PX, CARD.bodyTopPx + bodyPx + footerPx + 16);
  const leftPx = CARD.marginPx + chartPx + COLUMN_GAP_PX;
  return card({ widthPx, heightPx }, { text, theme }, [
    trustedElement('style', {}, rules(colours)),
    ...(picture.patterns ?? []),
    layout.boxes.length === 0 ? nothing(picture.whyEmpty, colours) : chart(picture, chartPx),
    ...panel.draw({ leftPx, topPx: CARD.bodyTopPx }, colours),
    searchField({ leftPx, widthPx }),
    tip(),
    trustedElement('script', {}, script),
  ]);
}

/** What the script needs to know stands in attributes: the chart's measures, and of each box where it lies. */
function chart(picture: FlameCard, widthPx: Px): Markup {
  const { layout, isUpsideDown } = picture;
  const lineOf = (row: number) => (isUpsideDown ? layout.rowCount - 1 - row : row);
  return element(
    'g',
    {
      id: 'chart',
      'font-size': FONT.sizePx,
      'data-left': CARD.marginPx,
      'data-width': widthPx,
      'data-padding': PADDING_PX,
    },
    layout.boxes.map((box) =>
      boxMarkup(box, picture, { topPx: CARD.bodyTopPx + lineOf(box.row) * ROW_PX, widthPx }),
    ),
  );
}

function boxMarkup(
  box: FlameBox,
  { paint }: FlameCard,
  { topPx, widthPx }: { readonly topPx: Px; readonly widthPx: Px },
): Markup {
  const { fill, textFill, outline, names, amounts, exact } = paint(box);
  const x = CARD.marginPx + box.start * widthPx;
  const boxPx = Math.max(0.3, box.width * widthPx - 1);
  const label = boxLabel(names, amounts, { widthPx: boxPx - 2 * PADDING_PX, font: FONT });
  const name = names.map(drawnName).join(' › ');
  const place = { x: x + PADDING_PX, y: topPx + 19, fill: textFill };
  return element(
    'g',
    {
      class: 'box',
      'data-at': `${box.row} ${share(box.start)} ${share(box.width)}`,
      'data-name': name,
      'data-amounts': amounts.join('\t'),
      'data-text': textFill,
    },
    textElement('title', {}, [...names.map(cut), exact].join('\n')),
    element('rect', {
      x,
      y: topPx,
      width: boxPx,
      height: ROW_PX - 1,
      fill,
      ...(outline === undefined ? {} : { stroke: outline, 'stroke-dasharray': '6 4' }),
    }),
    ...(label === undefined
      ? []
      : [textElement('text', place, [label.name, label.amount].filter(Boolean).join('  '))]),
  );
}

/** Exact enough to be zoomed into a thousandfold. */
function share(value: number): string {
  return String(Number(value.toPrecision(9)));
}

function cut(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
}

/** Right of the title; hidden where there are no scripts. */
function searchField({ leftPx, widthPx }: { readonly leftPx: Px; readonly widthPx: Px }): Markup {
  return element(
    'foreignObject',
    {
      x: leftPx,
      y: 22,
      width: Math.min(SEARCH.widthPx, widthPx - leftPx),
      height: SEARCH.heightPx,
    },
    element(
      'form',
      { xmlns: XHTML, id: 'search', hidden: 'hidden' },
      element('input', {
        type: 'search',
        placeholder: 'Search functions ( / )',
        'aria-label': 'Search functions',
      }),
      textElement('output', {}, ''),
      textElement('button', { type: 'reset', disabled: 'disabled' }, 'Reset'),
    ),
  );
}

/** Beside the pointer: the whole name and the amount of the box below it. */
function tip(): Markup {
  return element(
    'foreignObject',
    { id: 'tip', width: TIP.widthPx, height: TIP.heightPx, 'pointer-events': 'none' },
    textElement('div', { xmlns: XHTML, hidden: 'hidden' }, ''),
  );
}

function rules(colours: ThemeColours): string {
  return `
.box { cursor: pointer; }
.box:hover rect { stroke: ${colours.text}; stroke-width: 2; }
.box.above { opacity: 0.55; }
.box.hit rect { fill: #e6c34a; }
.box.hit text { fill: #14171c; }
.is-searching .box:not(.hit) { opacity: 0.5; }
text { white-space: pre; }
#search { display: flex; gap: 8px; font: 20px '${FONT_FAMILY}'; }
#search[hidden] { display: none; }
#search input { flex: 1; min-width: 0; font: inherit; padding: 4px 10px; border-radius: 4px;
  border: 1px solid ${colours.line}; color: ${colours.text}; background: ${colours.card}; }
#search output { align-self: center; color: ${colours.muted}; }
#search button { font: inherit; padding: 4px 12px; border-radius: 4px; border: 1px solid ${colours.line};
  color: ${colours.text}; background: ${colours.card}; }
#search button:disabled { color: ${colours.muted}; }
#tip div { display: inline-block; max-width: ${TIP.widthPx - 40}px; max-height: ${TIP.heightPx - 30}px;
  overflow: hidden; padding: 8px 12px; font: 19px '${FONT_FAMILY}'; white-space: pre-wrap;
  overflow-wrap: anywhere; border-radius: 4px; border: 1px solid ${colours.line};
  color: ${colours.text}; background: ${colours.card}; }
#tip div[hidden] { display: none; }`;
}
