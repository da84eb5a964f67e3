import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Failure } from '../failure.ts';
import type { Profile } from '../profile/profile.ts';
import { ProfileReader } from '../readers/profile-reader.ts';
import type { ReadOptions } from '../readers/read-options.ts';
import type { Bytes } from '../units.ts';
import { binaryOf, readWithBinary } from './binary-input.ts';

/** What a file name means standard input. */
export const STANDARD_INPUT = '-';
const CHUNK_BYTES: Bytes = 4 << 20;

/** How the file verbs read a profile. */
export interface InputFlags {
  /** Objects in place of bytes. */
  readonly count?: boolean;
  /** The raw samples of a heap dump, not scaled up. */
  readonly sampled?: boolean;
  /** Of a heap dump with prof_accum: everything ever allocated. */
  readonly accumulated?: boolean;
  /** The program that wrote a heap dump without names. */
  readonly binary?: string;
  /** Of that program, as its server gave it. */
  readonly buildId?: string;
}

/** What an input is called beside its figures. */
export function inputName(path: string): string {
  return path === STANDARD_INPUT ? 'standard input' : basename(path);
}

/**
 * Reads the profile in a file or in standard input, blocking this thread for a file. Throws `usage` for a file that
 * cannot be read, and the refusals of the readers with the name of the file.
 */
export async function readInput(
  path: string,
  flags: InputFlags,
  standardInput: Readable,
): Promise<Profile> {
  const options: ReadOptions = {
    ...(flags.sampled ? { numbers: 'sampled' } : {}),
    ...(flags.accumulated ? { values: 'accumulated' } : {}),
    // The text of collapsed stacks does not tell what it counts; whoever asks for objects says it.
    ...(flags.count ? { unit: 'count' } : {}),
  };
  const binary = binaryOf(flags);
  try {
    if (binary !== undefined) {
      const bytes = path === STANDARD_INPUT ? await buffer(standardInput) : readFileSync(path);
      return await readWithBinary(bytes, binary, options);
    }
    return path === STANDARD_INPUT
      ? await readStream(standardInput, options)
      : readFile(path, options);
  } catch (thrown) {
    throw withName(thrown, path);
  }
}

/** Reads several, of which one may be standard input. */
export async function readInputs(
  paths: readonly string[],
  flags: InputFlags,
  standardInput: Readable,
): Promise<readonly { readonly path: string; readonly profile: Profile }[]> {
  if (paths.filter((path) => path === STANDARD_INPUT).length > 1) {
    throw new Failure('usage', {
      what: 'Standard input can be read once only',
      fix: 'Put one of the two profiles into a file',
    });
  }
  const inputs = [];
  for (const path of paths) {
    inputs.push({ path, profile: await readInput(path, flags, standardInput) });
  }
  return inputs;
}

async function readStream(input: Readable, options: ReadOptions): Promise<Profile> {
  const reader = new ProfileReader(options);
  for await (const chunk of input) reader.feed(chunk as Uint8Array);
  return reader.finish();
}

function readFile(path: string, options: ReadOptions): Profile {
  const file = openSync(path, 'r');
  try {
    const reader = new ProfileReader({ sizeBytes: fstatSync(file).size, ...options });
    let chunk: Uint8Array | undefined;
    for (;;) {
      // Straight into the reader's own block, once it has one.
      const room = reader.blocks?.room();
      chunk = room ?? chunk ?? new Uint8Array(CHUNK_BYTES);
      const length = readSync(file, chunk);
      if (length === 0) return reader.finish();
      if (room === undefined) reader.feed(chunk.subarray(0, length));
      else reader.blocks?.filled(length);
    }
  } finally {
    closeSync(file);
  }
}

/** Says which of several inputs is meant. */
function withName(thrown: unknown, path: string): unknown {
  if (thrown instanceof Failure) {
    const { kind, what, why, fix, paste, cause } = thrown;
    return new Failure(kind, {
      what: `${inputName(path)}: ${what}`,
      ...(why === undefined ? {} : { why }),
      ...(fix === undefined ? {} : { fix }),
      ...(paste === undefined ? {} : { paste }),
      cause,
    });
  }
  if (!(thrown instanceof Error && 'syscall' in thrown)) return thrown;
  return new Failure('usage', {
    what: `Could not read ${path}`,
    why: thrown.message,
    fix: `Name a file with a profile, or ${STANDARD_INPUT} for standard input`,
    cause: thrown,
  });
}
