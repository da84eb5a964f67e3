import type { EpochMicros } from '../units.ts';

/** Slack delivers again for about five minutes. */
const REMEMBER_MICROS = 10 * 60_000_000;
const REMEMBER_COUNT = 10_000;

/**
 * Remembers what was delivered, so that a second delivery to this process is not carried out. Between processes and
 * over restarts the investigation's id does that; this is for what leaves no trace, and for when Redis is away.
 */
export function createSeen(nowMicros: () => EpochMicros): (source: string) => boolean {
  const at = new Map<string, EpochMicros>();
  return (source) => {
    const now = nowMicros();
    // Oldest first: a Map keeps the order of insertion.
    for (const [old, since] of at) {
      if (now - since < REMEMBER_MICROS && at.size < REMEMBER_COUNT) break;
      at.delete(old);
    }
    const isKnown = at.has(source);
    if (!isKnown) at.set(source, now);
    return isKnown;
  };
}
