import type { WasteRequest } from '../../src/picture-request.ts';
import { flameCardOf } from './flame.ts';
import type { Detail, FlameCard } from './flame-card.ts';
import { wastePanel } from './waste-panel.ts';

/** Who holds fragmented slabs, as a flame graph of waste, beside the size classes that the waste lies in. */
export function wasteCardOf({ classes, ...request }: WasteRequest, detail: Detail): FlameCard {
  const flame = { ...request, kind: 'flame', measure: 'bytes' } as const;
  return {
    ...flameCardOf(flame, detail, (drawn) => wastePanel(classes, drawn)),
    whyEmpty: 'The slabs hold no waste.',
  };
}
