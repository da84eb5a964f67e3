/**
 * Units that numbers carry. The alias in a signature repeats what the name already says:
 * `liveBytes: Bytes`, `ageNs: Nanoseconds`, `peakAtMicros: EpochMicros`.
 */

/** An amount of memory, in bytes. Whole unless it is an un-sampled estimate. */
export type Bytes = number;

/** A number of things: objects, samples, stacks, lines. Fractional when un-sampled. */
export type Count = number;

/** A span of time, in nanoseconds. */
export type Nanoseconds = number;

/** A span of time, in milliseconds. */
export type Milliseconds = number;

/** A moment, in microseconds since the Unix epoch (safe in a double until the year 2255). */
export type EpochMicros = number;

/** A moment, in milliseconds since the Unix epoch. */
export type EpochMillis = number;

/** A length on a canvas, in pixels. */
export type Px = number;

/** A part of a whole, in [0, 1]. A percentage exists only in `format.ts`. */
export type Share = number;

/** A machine address as lower-case hex text with `0x`: 64 bits do not fit a number. */
export type AddressHex = string;
