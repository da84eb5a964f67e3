import { Failure } from '../../src/failure.ts';
import type { StackFilter } from '../../src/profile/filter-stacks.ts';

/** As typed: a part of a function's name, or several with | between them. */
export interface FilterWords {
  readonly focus?: string | undefined;
  readonly ignore?: string | undefined;
}

/** Words of people, never expressions: an expression can be made to run for ever. Upper and lower case are the same. */
export function toStackFilter({ focus, ignore }: FilterWords): StackFilter {
  return {
    ...(focus === undefined ? {} : { focus: toPattern('focus', focus) }),
    ...(ignore === undefined ? {} : { ignore: toPattern('ignore', ignore) }),
  };
}

function toPattern(option: string, words: string): RegExp {
  const parts = words
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length > 0 && parts.length <= 20 && words.length <= 500) {
    return new RegExp(
      parts.map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|'),
      'i',
    );
  }
  throw new Failure('usage', {
    what: `${option}: needs a part of a function's name`,
    fix: `Write it like ${option}:HashJoin or ${option}:HashJoin|Aggregator`,
  });
}

/** "focus HashJoin, ignore prof_"; undefined for all stacks. */
export function filterText({ focus, ignore }: FilterWords): string | undefined {
  const parts = [
    ...(focus === undefined ? [] : [`focus ${focus}`]),
    ...(ignore === undefined ? [] : [`ignore ${ignore}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}
