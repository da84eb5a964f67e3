import { Failure } from '../failure.ts';
import type { SkippedLine } from '../profile/profile.ts';

export const READABLE_KINDS =
  'Give collapsed stacks, a jemalloc heap dump (raw or with symbols), or a pprof profile';

/** The refusal of something that is no profile, with the line where it stopped making sense. */
export function notAProfile(why: string, line?: SkippedLine, fix = READABLE_KINDS): Failure {
  return new Failure('not-a-profile', {
    what: 'This does not look like a profile',
    why: withLine(why, line),
    fix,
  });
}

/** The refusal of a profile of which nothing sound is left. */
export function brokenProfile(why: string, line?: SkippedLine, cause?: unknown): Failure {
  return new Failure('broken-profile', {
    what: 'This profile is broken',
    why: withLine(why, line),
    fix: 'Take or copy it once more; the end of a file is lost when a copy is cut off',
    ...(cause === undefined ? {} : { cause }),
  });
}

function withLine(why: string, line: SkippedLine | undefined): string {
  if (line === undefined) return why;
  return `${why}; line ${line.lineNumber} is “${line.text}” (${line.why})`;
}
