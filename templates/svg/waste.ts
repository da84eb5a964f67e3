import type { WasteRequest } from '../../src/picture-request.ts';
import { flameCardOf } from './flame.ts';
import { flameCard } from './flame-card.ts';
import { wastePanel } from './waste-panel.ts';

/** Who holds fragmented slabs, as a flame graph of waste, beside the size classes that the waste lies in. */
export function wasteSvg({ classes, ...request }: WasteRequest): string {
  const flame = { ...request, kind: 'flame', measure: 'bytes' } as const;
  return flameCard({
    ...flameCardOf(flame, (drawn) => wastePanel(classes, drawn)),
    whyEmpty: 'The slabs hold no waste.',
  });
}
