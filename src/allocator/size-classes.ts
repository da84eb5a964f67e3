import type { Bytes } from '../units.ts';

/**
 * jemalloc's size classes: 8, then multiples of 16 up to 64, then four to each doubling. A class is small when it
 * is below four pages: it lives in slabs; a larger one has an extent of its own.
 * Source: jemalloc src/sc.c (quantum 16, SC_NGROUP 4), checked against system.jemalloc_bins of ClickHouse 26.7.
 */

/** Classes up to this size are the multiples of the quantum: 8, 16, 32, 48, 64. */
const LAST_LINEAR_BYTES = 64;
const QUANTUM_BYTES = 16;
const LG_LAST_LINEAR = 6;
const CLASSES_PER_DOUBLING = 4;
const FIRST_GROUPED_INDEX = 5;

/** Index of the class that holds a request of so many bytes; the same numbering as system.jemalloc_bins.index. */
export function indexOfSize(sizeBytes: Bytes): number {
  if (sizeBytes <= 8) return 0;
  if (sizeBytes <= LAST_LINEAR_BYTES) return Math.ceil(sizeBytes / QUANTUM_BYTES);
  // Below 2^53 both steps are exact: log2 of a power of two is whole in IEEE 754, and one less lies under it.
  const lgBase = floorLog2(sizeBytes - 1);
  const step = 2 ** (lgBase - 2);
  const withinGroup = Math.ceil((sizeBytes - 2 ** lgBase) / step);
  return FIRST_GROUPED_INDEX - 1 + CLASSES_PER_DOUBLING * (lgBase - LG_LAST_LINEAR) + withinGroup;
}

/** Size of a class in bytes: the most that fits in it. */
export function sizeOfIndex(index: number): Bytes {
  if (index === 0) return 8;
  if (index < FIRST_GROUPED_INDEX) return index * QUANTUM_BYTES;
  const grouped = index - FIRST_GROUPED_INDEX;
  const lgBase = LG_LAST_LINEAR + Math.floor(grouped / CLASSES_PER_DOUBLING);
  return 2 ** lgBase + ((grouped % CLASSES_PER_DOUBLING) + 1) * 2 ** (lgBase - 2);
}

/** Whether a class lives in slabs, for the page size of the build (4 KiB; 64 KiB on some ARM and Power builds). */
export function isSmallClass(classSizeBytes: Bytes, pageBytes: Bytes = 4096): boolean {
  return classSizeBytes < 4 * pageBytes;
}

/** Bytes of one slab of a small class: the fewest whole pages that the class size divides. */
export function slabBytesOf(classSizeBytes: Bytes, pageBytes: Bytes = 4096): Bytes {
  let slabBytes = pageBytes;
  while (slabBytes % classSizeBytes !== 0) slabBytes += pageBytes;
  return slabBytes;
}

function floorLog2(value: number): number {
  const guess = Math.floor(Math.log2(value));
  return 2 ** guess > value ? guess - 1 : guess;
}
