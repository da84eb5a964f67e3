import { toSlabBins } from '../../src/allocator/bins.ts';
import type { BinSource } from '../../src/allocator/fragmentation.ts';
import { ageBoundsNs } from '../../src/allocator/object-age.ts';
import type { AllocatorStats } from '../../src/allocator/stats.ts';
import { parseStatsText } from '../../src/allocator/stats-text.ts';
import type { SlabBin } from '../../src/allocator/waste.ts';
import type { Nanoseconds } from '../../src/units.ts';
import {
  arenaBins,
  binsAndSampledObjects,
  type SampledObjects,
} from '../../templates/sql/frag-arenas.ts';
import { statsBins } from '../../templates/sql/stats-bins.ts';
import { statsText } from '../../templates/sql/stats-text.ts';
import type { Ask } from '../ask.ts';
import { type Gaps, nothingLeft } from '../gaps.ts';

export interface BinsReading {
  readonly source: BinSource;
  readonly bins: readonly SlabBin[];
  /** Read in the same statement; absent where the server has or allows no such table. */
  readonly sampled?: readonly SampledObjects[];
  readonly stats?: AllocatorStats;
}

/** Stacks listed per arena and class; far more than any picture shows. */
const STACKS_PER_CLASS = 300;

/**
 * The slab bins from the best source that the server has: by arena with their holders, by arena, from the statistics
 * text, or summed over arenas. Throws when there is none of them.
 */
export async function readBins(
  target: string,
  minAgeNs: Nanoseconds,
  { ask, gaps }: { readonly ask: Ask; readonly gaps: Gaps },
): Promise<BinsReading> {
  const rows = await ask('sampled objects by arena', binsAndSampledObjects, {
    minAgeNs,
    ageBoundsNs: [...ageBoundsNs],
    stacksPerClass: STACKS_PER_CLASS,
  });
  if (rows !== undefined) {
    return {
      source: 'jemalloc_arena_bins',
      bins: rows.flatMap((row) => (row.kind === 'bin' ? [row.bin] : [])),
      sampled: rows.flatMap((row) => (row.kind === 'objects' ? [row.objects] : [])),
    };
  }
  const byArena = await ask('slab bins by arena', arenaBins, {});
  if (byArena !== undefined) return { source: 'jemalloc_arena_bins', bins: byArena };
  // Before the bins: reading it makes jemalloc's counters current.
  const stats = await readStats(ask, gaps);
  if (stats !== undefined) return { source: 'jemalloc_stats', bins: binsOfStats(stats), stats };
  const bins = toSlabBins((await ask('size classes', statsBins, {})) ?? []);
  if (bins.length > 0) return { source: 'jemalloc_bins', bins };
  throw nothingLeft(`${target} does not tell how its slabs are used`, gaps.all());
}

async function readStats(ask: Ask, gaps: Gaps): Promise<AllocatorStats | undefined> {
  const [row] = (await ask("the allocator's own statistics", statsText, {})) ?? [];
  if (row === undefined) return undefined;
  return gaps.attempt("the allocator's own statistics", async () => parseStatsText(row.stats));
}

/** Arenas that ClickHouse made for a purpose are named "manual_N" there; which is for what the text does not tell. */
function binsOfStats({ arenas }: AllocatorStats): readonly SlabBin[] {
  return arenas.flatMap(({ index, name = 'auto', bins }) =>
    bins.map((bin): SlabBin => {
      const { classIndex, sizeBytes, regionsPerSlab, slabCount, liveRegions, nonfullSlabs } = bin;
      return {
        purpose: name.startsWith('auto') ? '' : name,
        ...{ classIndex, sizeBytes, regionsPerSlab, slabCount, liveRegions },
        ...(index === undefined ? {} : { arena: index }),
        ...(nonfullSlabs === undefined ? {} : { nonfullSlabs }),
      };
    }),
  );
}
