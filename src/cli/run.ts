import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Failure } from '../failure.ts';
import type { ShellFlags } from './settings.ts';

/** What `memprof run` accepts beside the statement itself. */
export interface RunFlags extends ShellFlags {
  /** "-" for standard input. */
  readonly sqlFile?: string;
  readonly time?: string;
  readonly memory?: string;
  readonly rows?: string;
  readonly bytes?: string;
}

/** The words of `run` as chat has them: caps first, then the statement, which comes from a file or from the words. */
export async function runWords(
  words: readonly string[],
  flags: RunFlags,
  standardInput: Readable,
): Promise<readonly string[]> {
  const { sqlFile, time, memory, rows, bytes } = flags;
  if (sqlFile !== undefined && words.length > 0) {
    throw new Failure('usage', {
      what: 'run was given a statement and a file with one',
      why: `the words were: ${words.join(' ').slice(0, 100)}`,
      fix: 'Give one of the two',
    });
  }
  const caps = Object.entries({ time, memory, rows, bytes }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}:${value}`],
  );
  if (sqlFile === undefined) return [...caps, ...words];
  const sql = sqlFile === '-' ? await text(standardInput) : await readSql(sqlFile);
  // Begins on a line of its own, so that a leading comment is no option.
  return [...caps, `\n${sql}`];
}

function readSql(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Failure('usage', {
      what: `Could not read ${file}`,
      why: cause instanceof Error ? cause.message : String(cause),
      fix: 'Name a file with one SELECT, or - for standard input',
      cause,
    });
  });
}
