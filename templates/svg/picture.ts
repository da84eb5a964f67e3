import { Failure } from '../../src/failure.ts';
import type {
  DiffRequest,
  FlameRequest,
  PictureRequest,
  WasteRequest,
} from '../../src/picture-request.ts';
import type { Px } from '../../src/units.ts';
import { browserCard } from './browser-card.ts';
import { curveSvg } from './curve.ts';
import { diffCardOf } from './diff.ts';
import { flameCardOf } from './flame.ts';
import { type Detail, type FlameCard, flameCard } from './flame-card.ts';
import { ledgerSvg } from './ledger.ts';
import { wasteCardOf } from './waste.ts';

/** Narrower, a side panel and a chart do not fit; wider, pixels take memory that no worker has. */
const WIDTH_PX = { least: 1200, most: 8000 } as const;

/** The table of pictures: what is asked for, as an SVG that stands still. Throws `usage` for a width out of bounds. */
export function pictureSvg(request: PictureRequest): string {
  requireWidth(request.widthPx);
  switch (request.kind) {
    case 'flame':
    case 'diff':
    case 'waste':
      return flameCard(cardOf(request, 'chat'));
    case 'curve':
      return curveSvg(request);
    case 'ledger':
      return ledgerSvg(request);
  }
}

/** The same picture to be opened in a browser: flame graphs can be zoomed into and searched there, by the script. */
export function browserSvg(request: PictureRequest, script: string): string {
  switch (request.kind) {
    case 'flame':
    case 'diff':
    case 'waste':
      requireWidth(request.widthPx);
      return browserCard(cardOf(request, 'browser'), script);
    case 'curve':
    case 'ledger':
      return pictureSvg(request);
  }
}

function cardOf(request: FlameRequest | DiffRequest | WasteRequest, detail: Detail): FlameCard {
  switch (request.kind) {
    case 'flame':
      return flameCardOf(request, detail);
    case 'diff':
      return diffCardOf(request, detail);
    case 'waste':
      return wasteCardOf(request, detail);
  }
}

function requireWidth(widthPx: Px | undefined): void {
  if (widthPx === undefined) return;
  if (widthPx >= WIDTH_PX.least && widthPx <= WIDTH_PX.most) return;
  throw new Failure('usage', {
    what: `A picture cannot be ${widthPx} px wide`,
    why: `below ${WIDTH_PX.least} px its parts do not fit, above ${WIDTH_PX.most} px it takes too much memory`,
    fix: `Ask for ${WIDTH_PX.least} to ${WIDTH_PX.most} px; 1600 is usual`,
  });
}
