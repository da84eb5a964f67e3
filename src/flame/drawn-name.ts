import { NameMemory } from '../profile/name-memory.ts';
import { shortenName } from '../profile/short-name.ts';
import { drawable } from '../text-width.ts';

/** The end tells functions apart; of names of 100 kB the rest is never read. */
const LONGEST_NAME = 8_000;
/** Shortening reads a name several times over, and one name is drawn in many boxes. */
const known = new NameMemory<string>();

/** A function's name as a picture writes it: shortened as data, with nothing that cannot be drawn. Never empty. */
export function drawnName(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  const short = drawable(shortenName(name.slice(-LONGEST_NAME))).trim();
  const drawn = short === '' ? '(no name)' : short;
  known.set(name, drawn);
  return drawn;
}
