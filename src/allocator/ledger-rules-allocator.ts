import { formatBytes, formatDuration, formatShare } from '../format.ts';
import { isMuch, type LedgerRule, MiB, ofWhole, quote } from './ledger-rule.ts';
import type { MemoryFacts } from './memory-facts.ts';

/** Gaps inside the allocator: between resident, active and allocated. */
export const allocatorRules: readonly LedgerRule[] = [
  {
    id: 'dirty-pages',
    seenIn: ['ClickHouse#86077', 'ClickHouse#110811'],
    look(facts) {
      const { dirty, resident } = facts.figures;
      if (!dirty || !resident || !isMuch(dirty.bytes, resident, 0.1)) return undefined;
      return {
        weight: 'cause',
        bytes: dirty.bytes,
        says: `${formatBytes(dirty.bytes)} is freed memory that jemalloc has not given back yet; ${decayWords(facts)}. This is no leak`,
        evidence: `${quote('dirty pages', dirty)}, ${ofWhole(dirty.bytes, resident, 'resident')}`,
        next:
          facts.server === 'keeper'
            ? 'Look again in some seconds'
            : 'Look again in some seconds; if it stays, SYSTEM JEMALLOC PURGE gives it back (it acts on the whole server: have it approved)',
      };
    },
  },
  {
    id: 'fragmentation',
    seenIn: ['ClickHouse#96812', 'ClickHouse#99021', 'jemalloc#1098'],
    look({ figures, server }) {
      const { active, allocated, slabWaste } = figures;
      if (!active || !allocated) return undefined;
      const bytes = active.bytes - allocated.bytes;
      if (!isMuch(bytes, active, 0.1)) return undefined;
      const inSlabs = slabWaste !== undefined && slabWaste.bytes >= bytes / 2;
      return {
        weight: 'cause',
        bytes,
        says: `${formatBytes(bytes)} is lost to fragmentation: pages that are in use but not full${
          slabWaste === undefined
            ? ''
            : inSlabs
              ? `, mostly slabs of small objects (${formatBytes(slabWaste.bytes)})`
              : ', mostly between large objects, as slabs of small ones hold little of it'
        }`,
        evidence: `${quote('active', active)} less ${quote('allocated', allocated)}`,
        ...(server === 'clickhouse' && (inSlabs || slabWaste === undefined)
          ? { next: 'Ask `frag` for the size classes and who holds them' }
          : {}),
      };
    },
  },
  {
    id: 'thread-caches',
    seenIn: [],
    look({ figures: { threadCaches, allocated } }) {
      if (!threadCaches || !allocated || !isMuch(threadCaches.bytes, allocated, 0.1)) {
        return undefined;
      }
      return {
        weight: 'note',
        bytes: threadCaches.bytes,
        says: `${formatBytes(threadCaches.bytes)} of what counts as allocated lies free in the caches of threads`,
        evidence: `${quote('thread caches', threadCaches)}, ${ofWhole(threadCaches.bytes, allocated, 'allocated')}`,
      };
    },
  },
  {
    id: 'retained',
    seenIn: ['ClickHouse#7778', 'ClickHouse#56718'],
    look({ figures: { retained, resident } }) {
      if (!retained || !resident || !isMuch(retained.bytes, resident, 0.25, 256 * MiB)) {
        return undefined;
      }
      return {
        weight: 'note',
        bytes: retained.bytes,
        says: `The ${formatBytes(retained.bytes)} that jemalloc retains is address space kept for later, not memory: it is in no level of this account`,
        evidence: quote('retained', retained),
      };
    },
  },
  {
    id: 'lock-waits',
    seenIn: ['ClickHouse#109467'],
    look({ stats, figures }) {
      const worst = worstWait(stats);
      if (worst === undefined || worst.share < WAIT_SHARE) return undefined;
      return {
        weight: 'cause',
        bytes: figures.allocated?.bytes ?? 0,
        says: `Threads waited ${formatDuration(worst.waitNs / 1e6)} for the lock ${worst.name} of ${worst.arena}: the allocator slows the server down`,
        evidence: `total_wait_ns of ${worst.name}, ${formatShare(worst.share)} of the time that the arena exists (jemalloc's statistics)`,
        next: 'More arenas spread the waits: jemalloc_merge_tree_arenas for the arena of part metadata, opt.narenas for others',
      };
    },
  },
  {
    id: 'page-size',
    seenIn: ['ClickHouse#113081'],
    look({ pageBytes, figures }) {
      if (pageBytes === undefined || pageBytes === 4096) return undefined;
      return {
        weight: 'note',
        bytes: figures.dirty?.bytes ?? 0,
        says: `A page has ${formatBytes(pageBytes)} here: metrics that count pages were multiplied by that, and charts that assume 4 KiB are wrong`,
        evidence: "the slab of the smallest size class, or jemalloc's statistics",
      };
    },
  },
];

/** Share of an arena's life that its threads, added up, waited for one lock. */
const WAIT_SHARE = 0.05;

function decayWords({ stats }: MemoryFacts): string {
  const decay = stats?.options['arenas.dirty_decay_ms'] ?? stats?.options['opt.dirty_decay_ms'];
  if (decay === undefined) return 'it decays within some seconds';
  if (Number(decay) < 0) return 'it will not decay, as decay is switched off here';
  const idle =
    stats?.backgroundThreads === 0
      ? ', but without background threads only where threads are busy'
      : '';
  return `it decays within ${formatDuration(Number(decay))}${idle}`;
}

function worstWait(stats: MemoryFacts['stats']) {
  return stats?.arenas
    .flatMap(({ index, name, uptimeNs, mutexes }) =>
      mutexes.map((mutex) => ({
        arena: name === undefined ? `arena ${index}` : `arena ${index} (${name})`,
        name: mutex.name,
        waitNs: mutex.totalWaitNs,
        share: uptimeNs === undefined || uptimeNs === 0 ? 0 : mutex.totalWaitNs / uptimeNs,
      })),
    )
    .sort((a, b) => b.share - a.share)[0];
}
