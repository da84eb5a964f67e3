import { randomBytes } from 'node:crypto';
import type { EpochMicros } from '../../../units.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** An id as Slack makes them: a letter for the kind and ten more, "F08KQ3ZB1XA". */
export function newId(prefix: string): string {
  const letters = [...randomBytes(9)].map((byte) => LETTERS[byte % LETTERS.length]);
  return `${prefix}0${letters.join('')}`;
}

/** Lower-case letters and digits that nobody guesses. */
export function newSecret(): string {
  return randomBytes(12).toString('hex');
}

/** Makes `ts` values, unique and increasing over the whole workspace. */
export interface Timestamps {
  next(): string;
}

export function createTimestamps(): Timestamps {
  let lastMicros: EpochMicros = 0;
  return {
    next() {
      lastMicros = Math.max(lastMicros + 1, Date.now() * 1000);
      return tsOf(lastMicros);
    },
  };
}

/** Slack's form of a moment: ten digits, a dot, six digits. */
export function tsOf(atMicros: EpochMicros): string {
  const digits = String(Math.floor(atMicros));
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Compares as numbers without losing digits: all `ts` have the same length. */
export function compareTs(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The present moment as Slack writes it, for marks that need not be unique. */
export function nowTs(): string {
  return tsOf(Date.now() * 1000);
}
