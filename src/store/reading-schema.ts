import * as z from 'zod';
import { type Reading, readingKinds } from '../reading.ts';

const Whole = z.number().int();
const optionalBytes = Whole.optional();

/** A reading as JSON, as it may have been written by an earlier memprof: lists that it did not know are empty. */
export const ReadingSchema = z
  .object({
    investigationId: z.string().min(1),
    target: z.string().min(1),
    kind: z.enum(readingKinds),
    subject: z.string(),
    atMicros: Whole,
    serverStartedAtMicros: Whole.optional(),
    finding: z.string(),
    figures: z.object({
      wasteBytes: optionalBytes,
      dedicatedWasteBytes: optionalBytes,
      attributedBytes: optionalBytes,
      allocatedBytes: optionalBytes,
      activeBytes: optionalBytes,
      residentBytes: optionalBytes,
      rssBytes: optionalBytes,
      estimateBytes: optionalBytes,
      serverPeakBytes: optionalBytes,
    }),
    arenas: z.array(Whole).default([]),
    wasteClasses: z
      .array(
        z.object({
          arena: Whole.optional(),
          purpose: z.string(),
          sizeBytes: Whole,
          wasteBytes: Whole,
          utilisation: z.number(),
          holder: z.string(),
        }),
      )
      .default([]),
    queryPeaks: z
      .array(
        z.object({
          queryHash: z.string(),
          queryId: z.string(),
          user: z.string(),
          peakBytes: Whole,
          runs: Whole,
        }),
      )
      .default([]),
  })
  // A key with the value undefined and an absent key are one to JSON but two to the type.
  .transform((reading) => withoutUndefined(reading) as Reading);

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .map(([key, part]) => [key, withoutUndefined(part)]),
  );
}
