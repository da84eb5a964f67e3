import { Failure } from '../failure.ts';
import type { StackFilter } from '../profile/filter-stacks.ts';

/** Which stacks and how many rows a table shows, as the shell has it. */
export interface RowFlags {
  readonly limit?: string;
  /** Regular expressions over the names of functions. */
  readonly focus?: string;
  readonly ignore?: string;
}

export interface RowOptions {
  readonly filter: StackFilter;
  /** Undefined for all rows. */
  readonly limit: number | undefined;
}

export function rowOptions({ limit, focus, ignore }: RowFlags): RowOptions {
  if (limit !== undefined && !/^\d+$/.test(limit)) {
    throw new Failure('usage', {
      what: `--limit ${limit} is no number of rows`,
      fix: 'Write --limit 50, or --limit 0 for all',
    });
  }
  return {
    filter: {
      ...(focus === undefined ? {} : { focus: patternOf('--focus', focus) }),
      ...(ignore === undefined ? {} : { ignore: patternOf('--ignore', ignore) }),
    },
    limit: limit === undefined || Number(limit) === 0 ? undefined : Number(limit),
  };
}

/** An expression that somebody typed; a broken one is a sentence. */
export function patternOf(option: string, text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (cause) {
    throw new Failure('usage', {
      what: `${option} is no regular expression`,
      why: cause instanceof Error ? cause.message : String(cause),
      fix: 'Put a backslash before brackets that stand for themselves: operator\\(\\)',
      cause,
    });
  }
}
