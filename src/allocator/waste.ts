import type { Bytes, Count, Share } from '../units.ts';

/**
 * The counters of one slab bin, as a server reports them: one per arena and size class, or one per size class where
 * the source adds all arenas up.
 */
export interface SlabBin {
  /** jemalloc's index of the arena; absent when the source adds all arenas up. */
  readonly arena?: number;
  /** What a dedicated arena is for ("mergetree", "cache", "jit"); empty for the per-CPU arenas. */
  readonly purpose: string;
  /** jemalloc's number of the size class; what sampled allocations are joined by. */
  readonly classIndex: number;
  /** Size of a region: what a request is rounded up to. */
  readonly sizeBytes: Bytes;
  readonly regionsPerSlab: Count;
  readonly slabCount: Count;
  readonly liveRegions: Count;
  /** Slabs with a free region, without the one that is being filled; absent when the source does not tell. */
  readonly nonfullSlabs?: Count;
}

/** A slab bin with what follows from its counters. */
export interface WasteClass extends SlabBin {
  /** Held in slabs but not live. Never negative: the counters of a bin can come from two moments. */
  readonly wasteBytes: Bytes;
  readonly liveBytes: Bytes;
  /** Live regions of those that the slabs have room for; 1 for a bin without a slab. */
  readonly utilisation: Share;
}

/** What a server holds in slabs without using it. Rounding inside a region cannot be seen in these counters. */
export interface Waste {
  /** Classes of the ordinary arenas, most waste first; those without a slab are left out. */
  readonly classes: readonly WasteClass[];
  /** The same for the dedicated arenas, whose objects live long by design. */
  readonly dedicated: readonly WasteClass[];
  readonly totalWasteBytes: Bytes;
  readonly dedicatedWasteBytes: Bytes;
  /** Bins that reported more live regions than they have room for; they count as without waste. */
  readonly racedBins: Count;
}

export interface WasteScope {
  /** One arena alone. */
  readonly arena?: number;
  /** Counts the dedicated arenas among the ordinary ones. */
  readonly includeDedicated?: boolean;
}

/** Waste = (slabs × regions per slab − live regions) × class size, bin by bin. */
export function wasteOf(bins: readonly SlabBin[], scope: WasteScope = {}): Waste {
  const inScope = bins
    .filter(({ arena, slabCount }) => slabCount > 0 && (scope.arena ?? arena) === arena)
    .map(toWasteClass)
    .sort(byWaste);
  const isOrdinary = ({ purpose }: SlabBin) => purpose === '' || scope.includeDedicated === true;
  const classes = inScope.filter(isOrdinary);
  const dedicated = inScope.filter((bin) => !isOrdinary(bin));
  return {
    classes,
    dedicated,
    totalWasteBytes: sumWaste(classes),
    dedicatedWasteBytes: sumWaste(dedicated),
    racedBins: inScope.filter((bin) => bin.liveRegions > capacity(bin)).length,
  };
}

function toWasteClass(bin: SlabBin): WasteClass {
  const room = capacity(bin);
  return {
    ...bin,
    wasteBytes: Math.max(0, room - bin.liveRegions) * bin.sizeBytes,
    liveBytes: bin.liveRegions * bin.sizeBytes,
    utilisation: room === 0 ? 1 : Math.min(1, bin.liveRegions / room),
  };
}

function capacity({ slabCount, regionsPerSlab }: SlabBin): Count {
  return slabCount * regionsPerSlab;
}

function sumWaste(classes: readonly WasteClass[]): Bytes {
  return classes.reduce((sum, { wasteBytes }) => sum + wasteBytes, 0);
}

/** Most waste first; ties by arena and class, so that the same counters give the same order. */
function byWaste(a: WasteClass, b: WasteClass): number {
  return (
    b.wasteBytes - a.wasteBytes || (a.arena ?? -1) - (b.arena ?? -1) || a.classIndex - b.classIndex
  );
}
