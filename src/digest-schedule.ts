import * as z from 'zod';

/** One digest of one channel, as people set it up. Plain data: it lies in Redis. */
export const DigestSchedule = z.object({
  /** Short, for people to paste: "d7k2". */
  id: z.string().regex(/^[0-9a-z]{4,16}$/),
  channel: z.string().min(1),
  /** Name of a target, of a group of targets, or "all". Looked up anew at each run. */
  targets: z.string().min(1),
  /** Five fields. */
  cron: z.string(),
  /** IANA name: "Europe/Berlin". */
  timeZone: z.string(),
  /** Smaller changes of a server's waste than this are no reason to post. */
  minChangeShare: z.number().min(0).max(10),
  /** Posts every run, changed or not. */
  isAlwaysPosted: z.boolean(),
  isPaused: z.boolean(),
  /** Why its last run could not be posted; absent when it could. */
  trouble: z.string().optional(),
  /** Slack user id of who set it up. */
  createdBy: z.string(),
  createdAtMicros: z.number(),
});

export type DigestSchedule = z.infer<typeof DigestSchedule>;

export const ALL_TARGETS = 'all';

export const DEFAULT_MIN_CHANGE = 0.1;

/** What a job of the queue holds when it is a run of a digest. */
export const DigestJob = z.object({
  digestId: z.string().min(1),
  /** Who asked for it out of turn; absent when it was its turn. */
  askedBy: z.string().optional(),
});

export type DigestJob = z.infer<typeof DigestJob>;
