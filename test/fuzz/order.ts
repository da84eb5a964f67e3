/** What a thread of a fuzz run is told. */
export interface FuzzOrder {
  readonly seed: number;
  readonly firstCase: number;
  readonly cases: number;
  /** The number of the case that is under way is kept here. */
  readonly current: SharedArrayBuffer;
  /** How many inputs were read and refused, by all threads: one that dies cannot tell any more. */
  readonly answers: SharedArrayBuffer;
}

/** What a thread of a fuzz run tells. */
export type FuzzNews =
  | { readonly kind: 'failed'; readonly case: number; readonly why: string }
  | { readonly kind: 'done' };

/** Places of counts in `answers`. */
export const READ_AT = 0;
export const REFUSED_AT = 1;
export const ANSWERS_BYTES = 8;
