import type { MemoryFacts } from '../../src/allocator/memory-facts.ts';
import type { LedgerHistory } from '../../src/chart/ledger-history.ts';
import type { EpochMicros } from '../../src/units.ts';
import type { Gap } from '../gaps.ts';

/** All that `stats` read of one target. */
export interface MemoryReading {
  readonly facts: MemoryFacts;
  readonly readAtMicros: EpochMicros;
  /** When the server started, where it tells. */
  readonly startedAtMicros?: EpochMicros | undefined;
  /** The last hours; undefined when no log keeps them. */
  readonly history: LedgerHistory | undefined;
  /** jemalloc's own text as it came. */
  readonly statsText: string | undefined;
  readonly gaps: readonly Gap[];
  /** What the reader of the answer must know, one plain sentence each. */
  readonly notes: readonly string[];
}
