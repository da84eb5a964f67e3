import { formatShare } from '../format.ts';
import { isNameless } from '../profile/nameless.ts';
import { shortenName } from '../profile/short-name.ts';
import { drawable, type FontSetting, fitEnd, textWidth } from '../text-width.ts';
import type { Px, Share } from '../units.ts';

/** What is written in a box: a name, possibly cut, and always the share; or the share alone; or nothing. */
export interface BoxLabel {
  readonly name: string;
  readonly share: string;
}

const GAP = '  ';

/** The longest reading of a box that fits. Frames are outermost first; a folded chain shows where it begins and ends. */
export function boxLabel(
  frames: readonly string[],
  share: Share,
  room: { readonly widthPx: Px; readonly font: FontSetting },
): BoxLabel | undefined {
  const { widthPx, font } = room;
  const shareText = formatShare(share);
  const shareWidth = textWidth(shareText, font);
  if (shareWidth > widthPx) return undefined;
  const nameRoom = widthPx - shareWidth - textWidth(GAP, font);
  // Where a chain has frames with names, the others say nothing more.
  const named = frames.filter((frame) => !isNameless(frame));
  const readable = named.length === 0 ? frames : named;
  const last = shorten(readable.at(-1));
  for (const candidate of [...chainReadings(readable), last]) {
    if (textWidth(candidate, font) <= nameRoom) return { name: candidate, share: shareText };
  }
  return { name: fitEnd(last, nameRoom, font), share: shareText };
}

/** `first › … › last`, and shorter ones. */
function chainReadings(frames: readonly string[]): readonly string[] {
  if (frames.length < 2) return [];
  const names = frames.map(shorten);
  const first = names[0] as string;
  const last = names.at(-1) as string;
  if (frames.length === 2) return [`${first} › ${last}`];
  return [names.join(' › '), `${first} › … › ${names.at(-2)} › ${last}`, `${first} › … › ${last}`];
}

function shorten(name: string | undefined): string {
  const short = drawable(shortenName(name ?? '')).trim();
  return short === '' ? '(no name)' : short;
}
