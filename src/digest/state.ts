import * as z from 'zod';

const Whole = z.number().int();

const QueryPeak = z.object({
  queryHash: z.string(),
  queryId: z.string(),
  user: z.string(),
  peakBytes: Whole,
  runs: Whole,
});

/** What people last saw of one server. */
export const TargetState = z.object({
  /** When it was read; absent while it never answered. */
  atMicros: Whole.optional(),
  serverStartedAtMicros: Whole.optional(),
  wasteBytes: Whole.optional(),
  allocatedBytes: Whole.optional(),
  activeBytes: Whole.optional(),
  residentBytes: Whole.optional(),
  /** Who held most of its classes. */
  holders: z.array(z.string()).default([]),
  isLoud: z.boolean().default(false),
  /** Since which run it has not answered. */
  unreadSinceMicros: Whole.optional(),
  /** The highest peaks so far, by the query's hash. */
  peaks: z.record(z.string(), Whole).default({}),
  /** A restart that was noticed in a run that posted nothing. */
  untoldRestartMicros: Whole.optional(),
  /** New peaks of runs that posted nothing, to be told with the next post. */
  untoldPeaks: z.array(QueryPeak).default([]),
});
export type TargetState = z.infer<typeof TargetState>;

/** What a digest knows from run to run; changes are measured against what people last saw, not against the last run. */
export const DigestState = z.object({
  version: z.literal(1),
  lastRunAtMicros: Whole,
  /** When something was last posted, be it a sign of life. */
  lastPostedAtMicros: Whole,
  silentRuns: Whole,
  targets: z.record(z.string(), TargetState),
});
export type DigestState = z.infer<typeof DigestState>;
