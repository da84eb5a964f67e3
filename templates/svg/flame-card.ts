import type { FlameBox, FlameLayout, LayoutOptions } from '../../src/flame/layout.ts';
import type { PictureText, Theme } from '../../src/picture-request.ts';
import type { Px } from '../../src/units.ts';
import { CARD, card, footerHeight, footerLines } from './card.ts';
import { type BoxPaint, flameChart } from './flame-chart.ts';
import { PANEL_WIDTH_PX, type PanelPlace } from './panel.ts';
import { type ThemeColours, themeColours } from './theme.ts';
import { type Markup, textElement } from './xml.ts';

export const FLAME_WIDTH_PX: Px = 1600;
/** Few rows are drawn higher, so that the picture fills its card. */
const ROW_PX = { least: 44, most: 60 } as const;
export const COLUMN_GAP_PX = 40;
/** Narrower boxes cannot be told apart at the size that a chat shows; a browser can zoom in. */
const LIMITS = {
  chat: { leastBoxPx: 14, maxRows: 18, foldsChains: true },
  browser: { leastBoxPx: 0.5, maxRows: 300, foldsChains: false },
} as const;
/** So many fill the card beside the panel. */
const EASY_ROWS = 13;
/** 16 : 9; lower pictures are cropped by some clients. */
const LEAST_HEIGHT_PX = 900;

/** A card with a flame chart to the left and a panel to the right. */
export interface FlameCard {
  readonly layout: FlameLayout;
  readonly paint: (box: FlameBox) => BoxPaint;
  readonly text: PictureText;
  readonly theme: Theme;
  readonly widthPx: Px;
  readonly isUpsideDown: boolean;
  readonly panel: {
    readonly heightPx: Px;
    readonly draw: (place: PanelPlace, colours: ThemeColours) => readonly Markup[];
  };
  /** Drawn below everything: patterns that boxes are filled with. */
  readonly patterns?: readonly Markup[];
  /** Stands where boxes would: an empty picture says why it is empty. */
  readonly whyEmpty: string;
}

/** Where a picture is looked at: still in a chat, or in a browser that can zoom into it. */
export type Detail = 'chat' | 'browser';

/** What the layout of a card may use. In a browser nothing is folded, and only what cannot be seen is summed. */
export function chartLimits({
  widthPx,
  detail,
  isRaw,
}: {
  readonly widthPx: Px;
  readonly detail: Detail;
  readonly isRaw: boolean;
}): Pick<LayoutOptions, 'leastWidth' | 'maxRows' | 'easyRows' | 'foldsChains'> {
  const limits = LIMITS[detail];
  return {
    leastWidth: limits.leastBoxPx / chartWidth(widthPx),
    maxRows: limits.maxRows,
    easyRows: EASY_ROWS,
    foldsChains: limits.foldsChains && !isRaw,
  };
}

export function flameCard(picture: FlameCard): string {
  const { layout, text, theme, widthPx, panel } = picture;
  const colours = themeColours[theme];
  const footerPx = footerHeight(footerLines(text.footer, widthPx - 2 * CARD.marginPx).length);
  const rows = Math.max(1, layout.rowCount);
  const rowPx = Math.min(ROW_PX.most, Math.max(ROW_PX.least, Math.floor(panel.heightPx / rows)));
  const bodyPx = Math.max(layout.rowCount * rowPx, panel.heightPx);
  const heightPx = Math.max(LEAST_HEIGHT_PX, CARD.bodyTopPx + bodyPx + footerPx + 16);
  const topPx = CARD.bodyTopPx;
  const chartPx = chartWidth(widthPx);
  const chart = { leftPx: CARD.marginPx, topPx, widthPx: chartPx, rowPx };
  return card({ widthPx, heightPx }, { text, theme }, [
    ...(picture.patterns ?? []),
    ...(layout.boxes.length === 0
      ? [nothing(picture.whyEmpty, colours)]
      : flameChart(layout, { ...chart, isUpsideDown: picture.isUpsideDown }, picture.paint)),
    ...panel.draw({ leftPx: CARD.marginPx + chartPx + COLUMN_GAP_PX, topPx }, colours),
  ]);
}

export function chartWidth(widthPx: Px): Px {
  return widthPx - 2 * CARD.marginPx - PANEL_WIDTH_PX - COLUMN_GAP_PX;
}

/** Stands where boxes would. */
export function nothing(why: string, colours: ThemeColours): Markup {
  return textElement(
    'text',
    { x: CARD.marginPx, y: CARD.bodyTopPx + 40, 'font-size': 28, fill: colours.text },
    why,
  );
}
