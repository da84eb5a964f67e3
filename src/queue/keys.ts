/** Names in Redis. The prefix is in braces, so that all of them lie in one slot of a cluster. */
export interface Keys {
  readonly investigation: (id: string) => string;
  readonly delivery: (id: string) => string;
  /** Investigations of a person, by when they were opened. */
  readonly recent: (user: string) => string;
  /** Openings that are not queued yet, by when they were last touched. */
  readonly openings: string;
  /** Pub/sub: ids of jobs that are to stop. */
  readonly interrupts: string;
  readonly edits: (minute: number) => string;
  /** Hash of what people set up: digest → schedule. BullMQ's job schedulers follow it. */
  readonly digests: string;
  /** Hash of what is allowed to be sampled: lease → its time. */
  readonly leases: string;
}

/** BullMQ's queue; its own keys are `<prefix>:jobs:…`. */
export const QUEUE_NAME = 'jobs';

export function keysOf(prefix: string): Keys {
  return {
    investigation: (id) => `${prefix}:investigation:${id}`,
    delivery: (id) => `${prefix}:delivery:${id}`,
    recent: (user) => `${prefix}:recent:${user}`,
    openings: `${prefix}:openings`,
    interrupts: `${prefix}:interrupts`,
    edits: (minute) => `${prefix}:edits:${minute}`,
    digests: `${prefix}:digests`,
    leases: `${prefix}:leases`,
  };
}
