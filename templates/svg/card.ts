import type { PictureText, Theme } from '../../src/picture-request.ts';
import { drawable, type FontSetting, fitStart, textWidth } from '../../src/text-width.ts';
import type { Px } from '../../src/units.ts';
import { themeColours } from './theme.ts';
import { element, type Markup, number, textElement } from './xml.ts';

/** The family that the bundled font calls itself. */
export const FONT_FAMILY = 'Roboto Condensed';

export const CARD = {
  marginPx: 36,
  titlePx: 36,
  subtitlePx: 25,
  footerPx: 21,
  footerLinePx: 28,
  /** Where what is drawn begins. */
  bodyTopPx: 132,
} as const;

/** Heights of a card that are not its body. */
export function footerHeight(lineCount: number): Px {
  return lineCount * CARD.footerLinePx + CARD.marginPx;
}

export interface CardSize {
  readonly widthPx: Px;
  readonly heightPx: Px;
}

/** A whole picture: card, title, subtitle, body and footer. */
export function card(
  size: CardSize,
  { text, theme }: { readonly text: PictureText; readonly theme: Theme },
  body: readonly Markup[],
): string {
  const { widthPx, heightPx } = size;
  const colours = themeColours[theme];
  const room = widthPx - 2 * CARD.marginPx;
  const line = (content: string, y: Px, font: FontSetting, colour: string) =>
    textElement(
      'text',
      { x: CARD.marginPx, y, 'font-size': font.sizePx, ...weightOf(font), fill: colour },
      fitStart(drawable(content), room, font),
    );
  const lines = footerLines(text.footer, room);
  const svg = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: widthPx,
      height: heightPx,
      viewBox: `0 0 ${number(widthPx)} ${number(heightPx)}`,
      'font-family': FONT_FAMILY,
    },
    element('rect', { width: widthPx, height: heightPx, fill: colours.card }),
    line(text.title, 60, { sizePx: CARD.titlePx, weight: 'bold' }, colours.text),
    line(text.subtitle, 100, { sizePx: CARD.subtitlePx }, colours.muted),
    body,
    lines.map((content, index) =>
      line(
        content,
        heightPx - CARD.marginPx + 8 - (lines.length - 1 - index) * CARD.footerLinePx,
        { sizePx: CARD.footerPx },
        colours.muted,
      ),
    ),
  );
  return `${svg.markup}\n`;
}

const FOOTER_SEPARATOR = ' · ';

/** Remarks packed into as few lines as they need. */
export function footerLines(remarks: readonly string[], widthPx: Px): readonly string[] {
  const lines: string[] = [];
  for (const remark of remarks.map(drawable).filter((text) => text.trim() !== '')) {
    const longer = lines.length === 0 ? remark : `${lines.at(-1)}${FOOTER_SEPARATOR}${remark}`;
    if (lines.length > 0 && textWidth(longer, { sizePx: CARD.footerPx }) <= widthPx) {
      lines[lines.length - 1] = longer;
    } else lines.push(remark);
  }
  return lines;
}

/** The SVG attribute of a font's weight. */
function weightOf({ weight }: FontSetting): { readonly 'font-weight'?: number } {
  return weight === 'bold' ? { 'font-weight': 700 } : {};
}
