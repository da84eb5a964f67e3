import * as z from 'zod';
import type { SamplingLease } from './ports.ts';
import type { EpochMicros } from './units.ts';

/** A lease as it lies in Redis. */
export const LeaseSchema: z.ZodType<SamplingLease> = z.object({
  id: z.string().min(1),
  target: z.string().min(1),
  profile: z.string().min(1),
  grantee: z.string().min(1),
  startedBy: z.string(),
  startedAtMicros: z.number(),
  endsAtMicros: z.number(),
  isConfirmed: z.boolean(),
  place: z.object({ channel: z.string().min(1), threadTs: z.string().min(1) }),
});

/** What the queue brings when a lease is to end. */
export const LeaseEnd = z.strictObject({ leaseId: z.string().min(1) });
export type LeaseEnd = z.infer<typeof LeaseEnd>;

/** Clocks of workers may differ by so much; a lease from further ahead cannot be trusted to end. */
const CLOCK_SKEW_MICROS = 120e6;

/** Whether sampling is allowed by it now. */
export function isInForce(lease: SamplingLease, nowMicros: EpochMicros): boolean {
  return nowMicros < lease.endsAtMicros && lease.startedAtMicros <= nowMicros + CLOCK_SKEW_MICROS;
}
