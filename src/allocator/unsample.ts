import type { Bytes, Count } from '../units.ts';

/**
 * Un-sampling. jemalloc samples bytes: an object of s bytes is sampled with probability 1 - e^(-s/R), R being the
 * mean number of bytes between two samples (2^lg_prof_sample). A sampled object therefore stands for
 * 1 / (1 - e^(-s/R)) objects of its size.
 * Source: jemalloc bin/jeprof.in, AdjustSamples for heap_v2; ClickHouse's `weight` in
 * system.jemalloc_sampled_allocations.
 */

/**
 * How many real objects a sampled object of this size stands for. R of 0 means that the dump does not tell. At R = 1
 * every object is sampled, yet jeprof scales by the formula all the same (8 bytes count 1.0003 times), and so do we.
 */
export function objectsPerSample(sizeBytes: Bytes, samplingIntervalBytes: Bytes): Count {
  if (samplingIntervalBytes < 1 || sizeBytes <= 0) return 1;
  return 1 / -Math.expm1(-sizeBytes / samplingIntervalBytes);
}

export interface SampledPair {
  readonly objects: Count;
  readonly bytes: Bytes;
}

/**
 * The estimate behind one line of a heap_v2 dump, as jeprof makes it: the line's mean size decides the factor. Lines
 * are scaled one by one and then added, never the other way round: jemalloc 5.3 writes each line so that this very
 * scaling gives back its own unbiased sums (src/prof_data.c, prof_do_unbias). A line without objects stays 0.
 */
export function unsampleLine(line: SampledPair, samplingIntervalBytes: Bytes): SampledPair {
  if (line.objects === 0) return { objects: 0, bytes: 0 };
  const factor = objectsPerSample(line.bytes / line.objects, samplingIntervalBytes);
  return { objects: line.objects * factor, bytes: line.bytes * factor };
}
