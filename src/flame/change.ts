import { changeOf } from '../profile/diff.ts';

/** How an amount changed, as a picture tells it apart. */
export type DrawnChange = 'new' | 'gone' | 'same' | `${'grown' | 'shrunk'} ${Strength}`;

type Strength = 'little' | 'much' | 'most';

/** A change of less than this part of the larger side is none to the eye. */
const NO_CHANGE_UNDER = 0.01;
const MUCH_FROM = 0.2;
const MOST_FROM = 0.5;

export function drawnChange(before: number, after: number): DrawnChange {
  const change = changeOf(before, after);
  if (change === 'new' || change === 'gone') return change;
  const part = Math.abs(after - before) / Math.max(Math.abs(before), Math.abs(after));
  if (change === 'same' || part < NO_CHANGE_UNDER) return 'same';
  return `${change} ${part >= MOST_FROM ? 'most' : part >= MUCH_FROM ? 'much' : 'little'}`;
}
