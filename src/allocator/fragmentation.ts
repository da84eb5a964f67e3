import type { Bytes, Count, Share } from '../units.ts';
import { type AgeCounts, addAges, noAges } from './object-age.ts';
import { lgIntervalThatShows } from './sample-evidence.ts';
import { type SlabBin, type Waste, type WasteScope, wasteOf } from './waste.ts';
import {
  type HeldClass,
  type OldObjects,
  objectsWithoutBin,
  shareWaste,
  type WasteShares,
} from './waste-shares.ts';

/** Where the counters of slabs came from: bins of each arena, the statistics text, or bins over all arenas. */
export type BinSource = 'jemalloc_arena_bins' | 'jemalloc_stats' | 'jemalloc_bins';

/** Where the holders came from; `none` when no source told of any. */
export type HolderSource =
  | 'jemalloc_sampled_allocations'
  | 'trace_log'
  | 'jemalloc_profile_text'
  | 'none';

export interface FragmentationReading {
  readonly binSource: BinSource;
  readonly bins: readonly SlabBin[];
  readonly holderSource: HolderSource;
  /** Older than the age asked for, by stack. */
  readonly oldObjects: readonly OldObjects[];
  /** Un-sampled ages of objects that are too young to be asked for; they hold slabs too, but not for long. */
  readonly youngAges: AgeCounts;
  readonly samplingIntervalBytes?: Bytes;
  readonly activeBytes?: Bytes;
  readonly rssBytes?: Bytes;
}

/** How a server's slabs are fragmented, and who keeps them so. */
export interface Fragmentation {
  readonly binSource: BinSource;
  readonly holderSource: HolderSource;
  readonly waste: Waste;
  readonly shares: WasteShares;
  /** Of the waste in scope; 0 when there is none. */
  readonly attributedShare: Share;
  readonly shareOfActive?: Share;
  readonly shareOfRss?: Share;
  /** Of all sampled small objects in scope, un-sampled. */
  readonly ages: AgeCounts;
  /** Sampled objects of classes that no bin knows, un-sampled. */
  readonly objectsWithoutBin: Count;
  readonly samplingIntervalBytes?: Bytes;
}

/** Puts bins and sampled objects together. Pure: the same rows give the same answer. */
export function fragmentationOf(
  reading: FragmentationReading,
  scope: WasteScope = {},
): Fragmentation {
  const { bins, oldObjects, samplingIntervalBytes } = reading;
  const waste = wasteOf(bins, scope);
  const small = smallObjects(bins, oldObjects);
  const shares = shareWaste(waste.classes, small);
  const { totalWasteBytes } = waste;
  const shareOf = (whole: Bytes | undefined) =>
    whole === undefined || whole === 0 ? undefined : totalWasteBytes / whole;
  const shareOfActive = shareOf(reading.activeBytes);
  const shareOfRss = shareOf(reading.rssBytes);
  return {
    binSource: reading.binSource,
    holderSource: reading.holderSource,
    waste,
    shares,
    attributedShare: totalWasteBytes === 0 ? 0 : shares.attributedBytes / totalWasteBytes,
    ages: small.reduce((sum, { ages }) => addAges(sum, ages), addAges(noAges, reading.youngAges)),
    objectsWithoutBin: objectsWithoutBin(bins, small),
    ...(shareOfActive === undefined ? {} : { shareOfActive }),
    ...(shareOfRss === undefined ? {} : { shareOfRss }),
    ...(samplingIntervalBytes === undefined ? {} : { samplingIntervalBytes }),
  };
}

/** A class whose holders would be seen at a finer sampling interval than the one in force. */
export interface UnseenClass {
  readonly held: HeldClass;
  /** As jemalloc's lg_prof_sample; absent when the class has too few objects for any interval. */
  readonly lgInterval?: number;
}

/** Classes with much waste and too few samples to say who holds them, most waste first. */
export function unseenClasses(
  { shares }: Fragmentation,
  leastWasteBytes: Bytes,
): readonly UnseenClass[] {
  return shares.classes
    .filter(({ wasteBytes, evidence }) => wasteBytes >= leastWasteBytes && evidence !== 'sound')
    .map((held) => {
      const lgInterval = lgIntervalThatShows(held.sizeBytes, held.liveRegions);
      return lgInterval === undefined ? { held } : { held, lgInterval };
    });
}

/** The largest slab class depends on the page size; what is larger lies in no slab. */
function smallObjects(
  bins: readonly SlabBin[],
  objects: readonly OldObjects[],
): readonly OldObjects[] {
  const largestClass = Math.max(-1, ...bins.map(({ classIndex }) => classIndex));
  return objects.filter(({ classIndex }) => classIndex <= largestClass);
}
