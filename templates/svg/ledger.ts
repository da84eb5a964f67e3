import { layoutLedgerBars } from '../../src/chart/ledger-bars.ts';
import type { LedgerRequest } from '../../src/picture-request.ts';
import { CARD, card, footerHeight, footerLines } from './card.ts';
import { type BarSizes, barsHeight, ledgerBars } from './ledger-bars.ts';
import { ledgerCurves } from './ledger-curves.ts';
import { type ThemeColours, themeColours } from './theme.ts';
import { type Markup, textElement } from './xml.ts';

const WIDTH_PX = 1600;
const LEAST_HEIGHT_PX = 900;
/** Below the bars there is a chart, or nothing. */
const WITH_HISTORY: BarSizes = { barPx: 52, namesPx: 32, gapPx: 14 };
const ALONE: BarSizes = { barPx: 72, namesPx: 34, gapPx: 26 };
const HISTORY_PX = 400;
const SECTION_GAP_PX = 20;

/** The account of a server's memory: a bar for each level, filled with its parts, and the last hours as curves. */
export function ledgerSvg(request: LedgerRequest): string {
  const { levels, history, text, theme = 'dark' } = request;
  const widthPx = request.widthPx ?? WIDTH_PX;
  const colours = themeColours[theme];
  const innerPx = widthPx - 2 * CARD.marginPx;
  const footerPx = footerHeight(footerLines(text.footer, innerPx).length);
  const sizes = history === undefined ? ALONE : WITH_HISTORY;
  const barsPx = barsHeight(levels.length, sizes);
  const historyPx = history === undefined ? 0 : SECTION_GAP_PX + HISTORY_PX;
  const heightPx = Math.max(LEAST_HEIGHT_PX, CARD.bodyTopPx + barsPx + historyPx + footerPx + 16);
  const place = { leftPx: CARD.marginPx, widthPx: innerPx };
  const historyTop = CARD.bodyTopPx + barsPx + SECTION_GAP_PX;
  const body = [
    ...(levels.length === 0 ? [nothing(colours)] : []),
    ...ledgerBars(layoutLedgerBars(levels), { ...place, ...sizes, topPx: CARD.bodyTopPx }, colours),
    ...(history === undefined
      ? []
      : ledgerCurves(
          history,
          { ...place, topPx: historyTop, heightPx: heightPx - footerPx - historyTop - 12 },
          theme,
        )),
  ];
  return card({ widthPx, heightPx }, { text, theme }, body);
}

function nothing(colours: ThemeColours): Markup {
  return textElement(
    'text',
    { x: CARD.marginPx, y: CARD.bodyTopPx + 40, 'font-size': 28, fill: colours.text },
    'The server tells nothing of its memory.',
  );
}
