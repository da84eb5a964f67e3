import { formatBytes, formatShare } from '../format.ts';
import type { Bytes } from '../units.ts';
import { isMuch, type LedgerRule, MiB, ofWhole, quote } from './ledger-rule.ts';
import type { Figure, Figures } from './memory-facts.ts';

/** Gaps between the kernel's, the allocator's and the server's own figures, and limits that are near. */
export const hostRules: readonly LedgerRule[] = [
  {
    id: 'impossible',
    seenIn: ['ClickHouse#113081', 'ClickHouse#62924', 'ClickHouse#82036'],
    look({ figures: { hostTotal, rss, tracked } }) {
      const worst = larger(rss, tracked);
      if (!hostTotal || !worst || worst.bytes <= hostTotal.bytes) return undefined;
      return {
        weight: 'alarm',
        bytes: worst.bytes,
        says: `The server says that it uses ${formatBytes(worst.bytes)}, more than the host has: this figure cannot be true, so do not act on it`,
        evidence: `${quote('used', worst)}, ${quote('host', hostTotal)}`,
        next: "Believe the allocator's own figures; a restart of the server sets its counters right",
      };
    },
  },
  {
    id: 'limit-near',
    seenIn: ['ClickHouse#82627', 'ClickHouse#49654'],
    look({ figures }) {
      const { rss, tracked, serverLimit, cgroupLimit } = figures;
      const used = larger(rss, tracked);
      const limit = smaller(serverLimit, cgroupLimit);
      if (!used || !limit || limit.bytes <= 0 || used.bytes < limit.bytes * 0.9) return undefined;
      return {
        weight: 'alarm',
        bytes: used.bytes,
        says: `The server is at ${formatShare(used.bytes / limit.bytes)} of what it may use: queries fail with "memory limit exceeded" or the kernel kills it`,
        evidence: `${quote('used', used)}, ${quote('limit', limit)}`,
        next: 'Ask `top` for the heaviest queries and end what can wait',
      };
    },
  },
  {
    id: 'huge-pages',
    seenIn: ['ClickHouse#80606'],
    look({ figures, stats, server }) {
      const thp = stats?.options['opt.thp'];
      const host = stats?.options['system.thp_mode'];
      const isOn = thp === 'always' || (host === 'always' && thp !== 'never');
      const outside = outsideBytes(figures);
      if (!isOn || outside === undefined || !isMuch(outside, figures.rss as Figure, 0.2)) {
        return undefined;
      }
      return {
        weight: 'cause',
        bytes: outside,
        says: `Transparent huge pages are on, and ${formatBytes(outside)} of RSS is outside of what jemalloc counts: the kernel fills up 2 MiB pages that jemalloc uses only parts of`,
        evidence: `${quoteGap(figures)}; opt.thp ${thp ?? 'unknown'}, host ${host ?? 'unknown'}`,
        next: `Set thp:never in jemalloc's configuration, or madvise in /sys/kernel/mm/transparent_hugepage/enabled, and restart ${server === 'keeper' ? 'Keeper' : 'the server'}`,
      };
    },
  },
  {
    id: 'outside-allocator',
    seenIn: ['ClickHouse#98963', 'ClickHouse#80606'],
    look({ figures }) {
      const outside = outsideBytes(figures);
      if (outside === undefined || !isMuch(outside, figures.rss as Figure, 0.2, 256 * MiB)) {
        return undefined;
      }
      const { rss, rssWithoutPageCache } = figures;
      const pages = rss && rssWithoutPageCache && rss.bytes - rssWithoutPageCache.bytes;
      return {
        weight: 'cause',
        bytes: outside,
        says: `${formatBytes(outside)} of RSS does not come from jemalloc: stacks of threads, files mapped into memory${
          pages !== undefined && pages > 0 ? ` (page cache ${formatBytes(pages)})` : ''
        }, memory of libraries, huge pages`,
        evidence: quoteGap(figures),
      };
    },
  },
  {
    id: 'not-in-memory',
    seenIn: ['ClickHouse#98963'],
    look({ figures: { rss, resident } }) {
      if (!rss || !resident) return undefined;
      const bytes = resident.bytes - rss.bytes;
      if (!isMuch(bytes, resident, 0.2)) return undefined;
      return {
        weight: 'note',
        bytes,
        says: `jemalloc counts ${formatBytes(bytes)} as resident that the kernel does not: pages it never touched, pages swapped out, or the two were read at different moments`,
        evidence: `${quote('resident', resident)}, ${quote('RSS', rss)}`,
      };
    },
  },
  {
    id: 'cgroup',
    seenIn: ['ClickHouse#80606', 'ClickHouse#98963'],
    look({ figures: { cgroupUsed, rss } }) {
      if (!cgroupUsed || !rss) return undefined;
      const bytes = cgroupUsed.bytes - rss.bytes;
      if (!isMuch(bytes, cgroupUsed, 0.2, 256 * MiB)) return undefined;
      return {
        weight: 'note',
        bytes,
        says: `The container is charged ${formatBytes(bytes)} more than the process: mostly page cache of files, which the kernel drops before it kills anybody`,
        evidence: `${quote('cgroup', cgroupUsed)}, ${quote('RSS', rss)}`,
      };
    },
  },
  {
    id: 'tracked-too-much',
    seenIn: ['ClickHouse#72720', 'ClickHouse#82036'],
    look({ figures: { tracked, allocated, rss } }) {
      const real = larger(allocated, rss);
      if (!tracked || !real) return undefined;
      const bytes = tracked.bytes - real.bytes;
      if (!isMuch(bytes, tracked, 0.2, 256 * MiB)) return undefined;
      return {
        weight: 'alarm',
        bytes,
        says: `The server believes to use ${formatBytes(bytes)} more than it does: its tracker missed frees. Queries may be refused memory that is there; do not blame the running ones`,
        evidence: `${quote('tracked', tracked)}, ${quote('really', real)}`,
        next: 'memory_worker_correct_memory_tracker = 1 (where the server has it) or a restart sets it right',
      };
    },
  },
  {
    id: 'tracked-too-little',
    seenIn: ['ClickHouse#82036', 'ClickHouse#98963'],
    look({ figures: { tracked, allocated } }) {
      if (!tracked || !allocated) return undefined;
      const bytes = allocated.bytes - tracked.bytes;
      if (!isMuch(bytes, allocated, 0.2, 256 * MiB)) return undefined;
      return {
        weight: 'cause',
        bytes,
        says: `${formatBytes(bytes)} is allocated that the server does not track: no query, merge or limit counts it`,
        evidence: `${quote('allocated', allocated)}, ${quote('tracked', tracked)}, ${ofWhole(bytes, allocated, 'allocated')}`,
        next: 'Ask `heap` who allocated it',
      };
    },
  },
];

/** Of RSS, what is neither the allocator's nor pages of files. */
function outsideBytes({ rss, resident, shared }: Figures): Bytes | undefined {
  return rss && resident && rss.bytes - resident.bytes - (shared?.bytes ?? 0);
}

function quoteGap({ rss, resident, shared }: Figures): string {
  return [
    rss && quote('RSS', rss),
    resident && quote('resident', resident),
    shared && quote('files', shared),
  ]
    .filter((text) => text !== undefined)
    .join(', ');
}

function larger(a: Figure | undefined, b: Figure | undefined): Figure | undefined {
  return a && b ? (a.bytes >= b.bytes ? a : b) : (a ?? b);
}

function smaller(a: Figure | undefined, b: Figure | undefined): Figure | undefined {
  return a && b ? (a.bytes <= b.bytes ? a : b) : (a ?? b);
}
