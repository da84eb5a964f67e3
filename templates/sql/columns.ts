import * as z from 'zod';

/**
 * Types of ClickHouse's columns as JSON brings them. 64-bit integers come quoted, since memprof asks for that; they
 * become numbers when they are exact and a fault when not. Addresses and hashes stay text.
 */

/** UInt64, Int64: bytes, counts, micros. */
export const Int64 = z
  .union([z.number(), z.string().regex(/^-?\d+$/)])
  .transform(Number)
  .refine(Number.isSafeInteger, 'a whole number that a double holds exactly');

/** UInt64 whose every digit matters: a hash, a pointer. */
export const DecimalText = z.union([z.string(), z.number().transform(String)]);

/** Float64; `null` stands for nan and infinity. */
export const Float64 = z.union([
  z.number(),
  z.string().transform(Number),
  z.null().transform(() => Number.NaN),
]);

/** Nullable(T): absent in our types. */
export function nullable<T extends z.ZodType>(column: T) {
  return column.nullish().transform((value) => value ?? undefined);
}
