import type { DigestSchedule } from '../../src/digest-schedule.ts';
import type { JobDelivery } from '../../src/ports.ts';

/** What one run of a digest is about. */
export interface DigestTurn {
  readonly schedule: DigestSchedule;
  readonly delivery: JobDelivery;
  /** The investigation that the run is: the same for each attempt at the same turn. */
  readonly runId: string;
  readonly askedBy: string | undefined;
}

/** Letters and digits, as ids of investigations are; a second tells two turns of one digest apart. */
export function runIdOf(digestId: string, { dueAtMicros }: JobDelivery): string {
  return `${digestId}${Math.floor(dueAtMicros / 1e6).toString(36)}`;
}
