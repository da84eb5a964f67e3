import { nextRuns } from '../../src/digest/cron.ts';
import type { DigestJob, DigestSchedule } from '../../src/digest-schedule.ts';
import type { ScheduledDigest, Schedules } from '../../src/ports.ts';

export interface FakeSchedules extends Schedules {
  /** Runs that were asked for out of turn. */
  readonly asked: readonly (DigestJob & { readonly requestId: string })[];
}

/** Schedules in memory, by the real calendar of a clock that stands still. */
export function createFakeSchedules(nowMicros = 1_790_000_000_000_000): FakeSchedules {
  const schedules = new Map<string, DigestSchedule>();
  const asked = new Map<string, DigestJob & { readonly requestId: string }>();
  const withNext = (schedule: DigestSchedule): ScheduledDigest => ({
    schedule,
    nextAtMicros: (nextRuns(schedule, nowMicros / 1000, 1)[0] ?? 0) * 1000,
  });
  return {
    get asked() {
      return [...asked.values()];
    },
    async put(schedule) {
      schedules.set(schedule.id, structuredClone(schedule));
    },
    async get(id) {
      const found = schedules.get(id);
      return found === undefined ? undefined : withNext(found);
    },
    async list(channel) {
      return [...schedules.values()]
        .filter((schedule) => channel === undefined || schedule.channel === channel)
        .sort((a, b) => a.createdAtMicros - b.createdAtMicros)
        .map(withNext);
    },
    remove: async (id) => schedules.delete(id),
    async runNow(job) {
      // Nothing here ever ends.
      const before = [...asked.values()].find(({ digestId }) => digestId === job.digestId);
      if (before !== undefined && before.requestId !== job.requestId) {
        const { askedBy } = before;
        return { askedAtMicros: nowMicros, ...(askedBy === undefined ? {} : { askedBy }) };
      }
      asked.set(job.requestId, job);
      return undefined;
    },
    mend: async () => [],
  };
}
