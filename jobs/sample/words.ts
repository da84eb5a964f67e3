import * as z from 'zod';
import { Failure } from '../../src/failure.ts';
import type { CommandWords } from '../job.ts';

export const SampleArgs = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('start'),
    grantee: z.string().min(1),
    minutes: z.number(),
    target: z.string().optional(),
  }),
  z.object({
    action: z.literal('stop'),
    /** A ClickHouse user or role, the id of a lease, or "all". */
    what: z.string().min(1),
    target: z.string().optional(),
  }),
  z.object({ action: z.literal('status') }),
]);
export type SampleArgs = z.infer<typeof SampleArgs>;

const DEFAULT_MINUTES = 10;

export function readSampleWords({ words, options }: CommandWords, usage: string): SampleArgs {
  const [action, what, typed] = words;
  const target = options.on === undefined ? {} : { target: options.on };
  switch (action?.toLowerCase()) {
    case 'status':
      return { action: 'status' };
    case 'start':
      if (what === undefined) throw bad('sample start needs a ClickHouse user or role', usage);
      return { action: 'start', grantee: what, minutes: readMinutes(typed, usage), ...target };
    case 'stop':
      if (what === undefined) {
        throw bad('sample stop needs a ClickHouse user or role, the id of a lease, or all', usage);
      }
      return { action: 'stop', what, ...target };
    default:
      throw bad('sample needs to know what to do: start, stop or status', usage);
  }
}

/** "10", "10m", "10 min", "2h". */
function readMinutes(typed: string | undefined, usage: string): number {
  if (typed === undefined) return DEFAULT_MINUTES;
  const match = /^(-?\d+(?:\.\d+)?)\s*(m|min|minutes?|h|hours?)?$/i.exec(typed);
  if (match === null) throw bad(`${typed} is no number of minutes`, usage);
  const minutes = Number(match[1]) * (/^h/i.test(match[2] ?? '') ? 60 : 1);
  if (minutes >= 1) return minutes;
  throw bad('Sampling takes at least one minute', usage);
}

function bad(what: string, usage: string): Failure {
  return new Failure('usage', { what, fix: `Usage: ${usage}` });
}
