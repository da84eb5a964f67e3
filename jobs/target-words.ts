import { Failure } from '../src/failure.ts';
import type { CommandWords, Job } from './job.ts';

/**
 * The target that a command about one server means: its first word, else `on:`. Words in `modes` are no targets.
 * Throws `usage` for words that are left over.
 */
export function readTarget(
  { words, options }: CommandWords,
  job: Pick<Job, 'name' | 'usage'>,
  modes: readonly string[] = [],
): { readonly target: string; readonly modes: readonly string[] } {
  const said = words.filter((word) => modes.includes(word.toLowerCase()));
  const names = words.filter((word) => !said.includes(word));
  const target = names[0] ?? options.on;
  if (target === undefined) {
    throw new Failure('usage', {
      what: `${job.name} needs a server`,
      fix: `Usage: ${job.usage}`,
    });
  }
  if (names.length > 1) {
    throw new Failure('usage', {
      what: `${job.name} asks one server at a time`,
      why: `it was given ${names.join(', ')}`,
      fix: `Usage: ${job.usage}`,
    });
  }
  return { target, modes: said.map((word) => word.toLowerCase()) };
}
