import { Failure, type FailureKind, toFailure } from '../src/failure.ts';

/** A part of an answer that could not be had, and why; the answer goes on without it. */
export interface Gap {
  /** "primary keys". */
  readonly what: string;
  readonly failure: Failure;
}

/** Failures of one table or function; any other one is of the whole target and ends the investigation. */
const OF_A_PART: ReadonlySet<FailureKind> = new Set([
  'grant-missing',
  'setting-refused',
  'feature-missing',
  'feature-off',
  'query-timeout',
  'memory-limit',
  'server-error',
  'not-found',
  'not-a-profile',
  'broken-profile',
  'unreadable-statistics',
]);

export interface Gaps {
  all(): readonly Gap[];
  /** The result of the work, or undefined when it failed in a way that concerns this part alone. */
  attempt<Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined>;
}

/** Notes what could not be read on the way. `also`: further failures that concern the part alone. */
export function createGaps(also: readonly FailureKind[] = []): Gaps {
  const gaps: Gap[] = [];
  return {
    all: () => gaps,
    async attempt(what, work) {
      try {
        return await work();
      } catch (thrown) {
        const failure = toFailure(thrown);
        if (!OF_A_PART.has(failure.kind) && !also.includes(failure.kind)) throw failure;
        gaps.push({ what, failure });
        return undefined;
      }
    },
  };
}

/** One failure for an answer of which no part could be had: the first, with the rest as its reasons. */
export function nothingLeft(what: string, gaps: readonly Gap[]): Failure {
  const [first, ...rest] = gaps;
  if (first === undefined) return new Failure('feature-missing', { what });
  const { failure } = first;
  const others = rest.map((gap) => `${gap.what}: ${gap.failure.what}`);
  return new Failure(failure.kind, {
    what,
    why: [failure.what, ...(failure.why === undefined ? [] : [failure.why]), ...others].join('; '),
    ...(failure.fix === undefined ? {} : { fix: failure.fix }),
    ...(failure.paste === undefined ? {} : { paste: failure.paste }),
    cause: failure,
  });
}
