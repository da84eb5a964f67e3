import { Failure } from '../../src/failure.ts';
import type { PictureRequest } from '../../src/picture-request.ts';
import type { Px } from '../../src/units.ts';
import { curveSvg } from './curve.ts';
import { diffSvg } from './diff.ts';
import { flameSvg } from './flame.ts';
import { ledgerSvg } from './ledger.ts';
import { wasteSvg } from './waste.ts';

/** Narrower, a side panel and a chart do not fit; wider, pixels take memory that no worker has. */
const WIDTH_PX = { least: 1200, most: 8000 } as const;

/** The table of pictures: what is asked for, as an SVG that stands still. Throws `usage` for a width out of bounds. */
export function pictureSvg(request: PictureRequest): string {
  requireWidth(request.widthPx);
  switch (request.kind) {
    case 'flame':
      return flameSvg(request);
    case 'diff':
      return diffSvg(request);
    case 'waste':
      return wasteSvg(request);
    case 'curve':
      return curveSvg(request);
    case 'ledger':
      return ledgerSvg(request);
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
