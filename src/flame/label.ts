import { isNameless } from '../profile/nameless.ts';
import { type FontSetting, fitEnd, textWidth } from '../text-width.ts';
import type { Px, Share } from '../units.ts';
import { drawnName } from './drawn-name.ts';

/** What is written in a box: a name, possibly cut, and always the amount; or the amount alone; or nothing. */
export interface BoxLabel {
  readonly name: string;
  readonly amount: string;
}

const GAP = '  ';
/** A long amount may take so much of a box; then the name needs the room more. */
const MOST_FOR_LONG_AMOUNT: Share = 0.45;

/**
 * The longest reading of a box that fits. Frames are outermost first; a folded chain shows where it begins and ends.
 * Amounts are readings of one amount, the longest first.
 */
export function boxLabel(
  frames: readonly string[],
  amounts: readonly string[],
  room: { readonly widthPx: Px; readonly font: FontSetting },
): BoxLabel | undefined {
  const { widthPx, font } = room;
  const amount =
    amounts.find((text) => textWidth(text, font) <= widthPx * MOST_FOR_LONG_AMOUNT) ??
    amounts.findLast((text) => textWidth(text, font) <= widthPx);
  if (amount === undefined) return undefined;
  const nameRoom = widthPx - textWidth(amount, font) - textWidth(GAP, font);
  // Where a chain has frames with names, the others say nothing more.
  const named = frames.filter((frame) => !isNameless(frame));
  const readable = named.length === 0 ? frames : named;
  const last = drawnName(readable.at(-1) ?? '');
  for (const candidate of [...chainReadings(readable), last]) {
    if (textWidth(candidate, font) <= nameRoom) return { name: candidate, amount };
  }
  return { name: fitEnd(last, nameRoom, font), amount };
}

/** Of a chain: all of it, or where it begins and ends, or as much of its end as fits; the longest first. */
function chainReadings(frames: readonly string[]): readonly string[] {
  if (frames.length < 2) return [];
  const names = frames.slice(-LONGEST_CHAIN).map(drawnName);
  const first = drawnName(frames[0] ?? '');
  const ends = names.slice(1).map((_, index) => `… › ${names.slice(index + 1).join(' › ')}`);
  const begunToo = ends.map((end) => `${first} › ${end}`).slice(1);
  const whole = frames.length <= LONGEST_CHAIN ? [names.join(' › ')] : [];
  return [...whole, ...begunToo, ...ends.slice(0, -1)];
}

/** Frames of a chain that are ever read out; no box has room for more. */
const LONGEST_CHAIN = 8;
