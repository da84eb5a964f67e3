import type { Count, Share } from '../units.ts';

/** Under so many samples a figure is an anecdote: its error is a third of it or more. */
const WEAK_UNDER_SAMPLES = 10;

/** How far a figure that rests on samples can be trusted. */
export interface Confidence {
  /** Raw samples behind the figure; undefined when the source does not tell. */
  readonly samples: Count | undefined;
  /** Relative standard error, about 1/√n; undefined without samples. */
  readonly errorShare: Share | undefined;
  /** To be marked wherever the figure is shown. */
  readonly isWeak: boolean;
}

/** Samples are counted as jemalloc takes them, by a Poisson process over bytes: the error of a sum of n is √n of n. */
export function confidenceOf(samples: Count | undefined): Confidence {
  if (samples === undefined) return { samples, errorShare: undefined, isWeak: false };
  const counted = Math.abs(samples);
  return {
    samples,
    errorShare: counted === 0 ? undefined : 1 / Math.sqrt(counted),
    isWeak: counted < WEAK_UNDER_SAMPLES,
  };
}
