import type { Bytes } from '../units.ts';
import type { Figure, Figures, Holder, MemoryFacts } from './memory-facts.ts';

/** A part of a level. */
export interface LedgerPart extends Figure {
  readonly name: string;
  /** `rest`: what is left when all that is known was taken away; negative when counters contradict each other. */
  readonly kind: 'next-level' | 'known' | 'rest';
}

/** A sum and what it consists of: the parts add up to it exactly. */
export interface LedgerLevel extends Figure {
  readonly name: LevelName;
  readonly parts: readonly LedgerPart[];
}

/** From what the kernel counts down to what is in use, and beside it what the server believes is in use. */
export type LevelName = 'RSS' | 'resident' | 'active' | 'allocated' | 'tracked';

/** The account of a server's memory. */
export interface Ledger {
  /** Those that could be read, in the order of `LevelName`. */
  readonly levels: readonly LedgerLevel[];
  /** Allocated bytes that no part of the server says it holds; undefined when allocated bytes are not known. */
  readonly unexplainedBytes: Bytes | undefined;
}

export const UNEXPLAINED = 'unexplained';

export function ledgerOf({ figures, holders }: MemoryFacts): Ledger {
  const { rss, resident, active, allocated, tracked, dirty, slabWaste } = figures;
  const otherPages = dirty === undefined ? 'dirty and other pages' : 'other pages';
  const lost = slabWaste === undefined ? 'fragmentation' : 'rounding and padding of large objects';
  const levels = [
    level('RSS', rss, rssParts(figures), 'outside the allocator'),
    level('resident', resident, residentParts(figures), otherPages),
    level('active', active, activeParts(figures), lost),
    level('allocated', allocated, holders.map(holderPart), UNEXPLAINED),
    level('tracked', tracked, [nextLevel('allocated', allocated)], 'drift of the tracker'),
  ].filter((one) => one !== undefined);
  const lowest = levels.find(({ name }) => name === 'allocated');
  return {
    levels,
    unexplainedBytes: lowest?.parts.find(({ name }) => name === UNEXPLAINED)?.bytes,
  };
}

type PartOrNone = LedgerPart | undefined;

/** None when the level itself is not known; parts that are not known go to the rest. */
function level(
  name: LevelName,
  whole: Figure | undefined,
  parts: readonly PartOrNone[],
  restName: string,
): LedgerLevel | undefined {
  if (whole === undefined) return undefined;
  const known = parts.filter((part) => part !== undefined);
  const restBytes = known.reduce((rest, { bytes }) => rest - bytes, whole.bytes);
  return {
    name,
    ...whole,
    parts: [...known, { kind: 'rest', name: restName, bytes: restBytes, source: 'computed' }],
  };
}

function rssParts({ rss, resident, shared }: Figures): readonly PartOrNone[] {
  const room = (rss?.bytes ?? 0) - (resident?.bytes ?? 0);
  return [nextLevel('resident', resident), known('program and mapped files', within(room, shared))];
}

function residentParts({ resident, active, dirty, metadata }: Figures): readonly PartOrNone[] {
  const room = (resident?.bytes ?? 0) - (active?.bytes ?? 0) - (dirty?.bytes ?? 0);
  // Some metadata lies in active pages and would be counted twice (jemalloc: stats.metadata = base + internal).
  return [
    nextLevel('active', active),
    known('dirty pages', dirty),
    known("the allocator's own data", within(room, metadata)),
  ];
}

function activeParts({ allocated, slabWaste }: Figures): readonly PartOrNone[] {
  return [nextLevel('allocated', allocated), known('free room in slabs', slabWaste)];
}

/** No more of a figure than there is room for: the two were read at different moments, or overlap. */
function within(room: Bytes, figure: Figure | undefined): Figure | undefined {
  return figure && { ...figure, bytes: Math.min(figure.bytes, Math.max(0, room)) };
}

function nextLevel(name: LevelName, figure: Figure | undefined): LedgerPart | undefined {
  return figure && { kind: 'next-level', name, ...figure };
}

function known(name: string, figure: Figure | undefined): LedgerPart | undefined {
  return figure && { kind: 'known', name, ...figure };
}

function holderPart({ name, bytes, source }: Holder): LedgerPart {
  return { kind: 'known', name, bytes, source };
}
