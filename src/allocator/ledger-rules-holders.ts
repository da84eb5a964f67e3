import { formatBytes, formatCount, formatDuration, formatSignedBytes } from '../format.ts';
import type { Share } from '../units.ts';
import { ledgerOf } from './ledger.ts';
import { isMuch, type LedgerRule, MiB, ofWhole, quote, sumOf } from './ledger-rule.ts';
import type { Holder, HolderKind } from './memory-facts.ts';

/** What holds the allocated bytes, and what nothing accounts for. */
export const holderRules: readonly LedgerRule[] = [
  holderRule({
    id: 'queries',
    kind: 'query',
    share: 0.4,
    seenIn: ['ClickHouse#83612'],
    says: 'is held by queries that run now',
    next: 'Ask `top` for the heaviest ones, and `peak` for what one of them holds',
  }),
  holderRule({
    id: 'merges',
    kind: 'merge',
    share: 0.3,
    seenIn: ['ClickHouse#77705'],
    says: 'is held by merges and mutations; also lightweight deletes are mutations',
    next: 'Look at system.merges and system.mutations; max_bytes_to_merge_at_max_space_in_pool and number_of_free_entries_in_pool_to_execute_mutation bound them',
  }),
  holderRule({
    id: 'caches',
    kind: 'cache',
    share: 0.4,
    seenIn: ['ClickHouse#51871', 'ClickHouse#56718'],
    says: 'is held by caches, which keep what they have until their limit',
    next: 'Their sizes are server settings (mark_cache_size, uncompressed_cache_size …); SYSTEM DROP MARK CACHE and its like empty them',
  }),
  holderRule({
    id: 'part-metadata',
    kind: 'part-metadata',
    share: 0.2,
    seenIn: ['ClickHouse#51871'],
    says: 'is metadata and primary keys of parts, which stay in memory as long as the parts exist',
    next: 'Fewer and larger parts: coarser PARTITION BY, larger inserts; primary_key_lazy_load and use_primary_key_cache for keys',
  }),
  holderRule({
    id: 'dictionaries',
    kind: 'dictionary',
    share: 0.3,
    seenIn: ['ClickHouse#51871'],
    says: 'is held by dictionaries',
    next: 'A smaller layout (hashed_array, sparse_hashed, cache) or fewer attributes',
  }),
  holderRule({
    id: 'tables-in-memory',
    kind: 'table',
    share: 0.2,
    seenIn: [],
    says: 'is held by tables that live in memory (Memory, Set, Join, Buffer)',
    next: 'Drop or truncate what is not needed, or bound it: max_bytes_to_keep for Memory tables',
  }),
  {
    id: 'impossible-query',
    seenIn: ['ClickHouse#62924'],
    look({ holders, figures: { tracked, rss } }) {
      const query = holders.find(({ kind }) => kind === 'query')?.largest;
      if (!query || !tracked || !rss || query.bytes <= Math.max(tracked.bytes, rss.bytes)) {
        return undefined;
      }
      return {
        weight: 'alarm',
        bytes: query.bytes,
        says: `Query ${query.name} says that it holds ${formatBytes(query.bytes)}, more than the whole server: its tracker is wrong`,
        evidence: `${quote('tracked by the server', tracked)}, ${quote('RSS', rss)}`,
      };
    },
  },
  {
    id: 'growth',
    seenIn: ['ClickHouse#112225', 'ClickHouse#58496', 'ClickHouse#106534'],
    look({ growth, figures: { allocated } }) {
      if (!growth || growth.fit < STEADY_FIT || growth.bytesPerHour < MiB) return undefined;
      const grown = growth.toBytes - growth.fromBytes;
      if (allocated && grown < allocated.bytes * 0.05) return undefined;
      return {
        weight: 'cause',
        bytes: grown,
        says: `Allocated memory grows steadily, ${formatSignedBytes(growth.bytesPerHour)} an hour over the last ${formatDuration(growth.spanMs)}: a leak, or something that is still filling up`,
        evidence: `straight line through asynchronous_metric_log, R² ${growth.fit.toFixed(2)}`,
        next: 'Ask `heap` now and again in an hour, then `diff` the two',
      };
    },
  },
  {
    id: 'unexplained',
    seenIn: ['ClickHouse#57703', 'ClickHouse#7778', 'ClickHouse#106534', 'ClickHouse#33840'],
    look(facts) {
      const { allocated } = facts.figures;
      const { unexplainedBytes } = ledgerOf(facts);
      if (!allocated || unexplainedBytes === undefined) return undefined;
      if (!isMuch(unexplainedBytes, allocated, 0.3, 128 * MiB)) return undefined;
      return {
        weight: 'cause',
        bytes: unexplainedBytes,
        says: `Nothing on the server says that it holds ${formatBytes(unexplainedBytes)} of what is allocated`,
        evidence: `${quote('allocated', allocated)} less ${formatCount(facts.holders.length)} that could be read, ${ofWhole(unexplainedBytes, allocated, 'allocated')}`,
        next: 'Ask `heap`: it samples who allocated what is live',
      };
    },
  },
  {
    id: 'explained-too-much',
    seenIn: ['ClickHouse#82036'],
    look(facts) {
      const { allocated } = facts.figures;
      const { unexplainedBytes } = ledgerOf(facts);
      if (!allocated || unexplainedBytes === undefined) return undefined;
      if (!isMuch(-unexplainedBytes, allocated, 0.1)) return undefined;
      return {
        weight: 'note',
        bytes: -unexplainedBytes,
        says: `The parts add up to ${formatBytes(-unexplainedBytes)} more than is allocated: counters of different moments, or something counted twice`,
        evidence: quote('allocated', allocated),
      };
    },
  },
];

/** How well a straight line must fit before it is called steady. */
const STEADY_FIT: Share = 0.8;

interface HolderRule extends Pick<LedgerRule, 'id' | 'seenIn'> {
  readonly kind: HolderKind;
  /** Of allocated bytes; below it is not worth a sentence. */
  readonly share: Share;
  readonly says: string;
  readonly next: string;
}

function holderRule({ id, seenIn, kind, share, says, next }: HolderRule): LedgerRule {
  return {
    id,
    seenIn,
    look({ holders, figures: { allocated } }) {
      const sum = sumOf(holders, kind);
      if (!allocated || !isMuch(sum.bytes, allocated, share)) return undefined;
      const some = holders.filter((holder) => holder.kind === kind);
      return {
        weight: 'cause',
        bytes: sum.bytes,
        says: `${formatBytes(sum.bytes)}, ${ofWhole(sum.bytes, allocated, 'allocated')}, ${says}`,
        evidence: some.slice(0, 3).map(quoteHolder).join(', '),
        next,
      };
    },
  };
}

function quoteHolder(holder: Holder): string {
  const many = holder.count === undefined ? '' : `${formatCount(holder.count)} `;
  return quote(`${many}${holder.name}`, holder);
}
