import { formatBytes, formatShare } from '../format.ts';
import type { Bytes, Share } from '../units.ts';
import type { Figure, Holder, HolderKind, MemoryFacts } from './memory-facts.ts';

/** What a gap or a figure of the ledger usually means. */
export interface LedgerFinding {
  /** The rule's id. */
  readonly id: string;
  /** `alarm`: memory is short, or a figure cannot be true. `cause`: where memory is. `note`: how to read a figure. */
  readonly weight: 'alarm' | 'cause' | 'note';
  /** Bytes that it is about. */
  readonly bytes: Bytes;
  /** What it means: one plain sentence. */
  readonly says: string;
  /** The figures that it was told from. */
  readonly evidence: string;
  /** What to do next. */
  readonly next?: string;
}

/** A row of a rule file. */
export interface LedgerRule {
  readonly id: string;
  /** Public reports of the problem, by repository and number. */
  readonly seenIn: readonly string[];
  look(facts: MemoryFacts): Omit<LedgerFinding, 'id'> | undefined;
}

export const MiB: Bytes = 2 ** 20;

/** "resident 577.46 MiB (jemalloc_stats)". */
export function quote(name: string, { bytes, source }: Figure): string {
  return `${name} ${formatBytes(bytes)} (${source})`;
}

/** "12% of resident". */
export function ofWhole(bytes: Bytes, whole: Figure, name: string): string {
  return `${formatShare(bytes / whole.bytes)} of ${name}`;
}

/** At least this share of the whole, and not less than what is worth a sentence. */
export function isMuch(bytes: Bytes, whole: Figure, share: Share, leastBytes = 64 * MiB): boolean {
  return bytes >= leastBytes && bytes >= whole.bytes * share;
}

/** All holders of a kind as one figure. */
export function sumOf(holders: readonly Holder[], kind: HolderKind): Figure {
  const some = holders.filter((holder) => holder.kind === kind);
  return {
    bytes: some.reduce((sum, { bytes }) => sum + bytes, 0),
    source: [...new Set(some.map(({ source }) => source.split(':')[0]))].join(', '),
  };
}
