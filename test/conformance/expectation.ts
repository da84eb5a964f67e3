import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ProfileKind } from '../../src/profile/profile.ts';

/** What memprof has to make of a file: a profile of a kind, or a refusal. */
export type Expected = ProfileKind | 'refusal';

const BY_NAME: readonly (readonly [RegExp, Expected])[] = [
  [/\.heap$/, 'heap_v2'],
  [/\.symbolized$/, 'symbolized'],
  [/\.collapsed(?:\.txt)?(?:\.gz)?$/, 'collapsed'],
  [/\.pb\.gz$/, 'pprof'],
];

/**
 * What is expected of a file: what an `index.tsv` beside it says (columns `file` and `kind`), else what its name says.
 * What neither knows is no profile.
 */
export function expectedOf(path: string): Expected {
  const indexed = indexOf(dirname(path)).get(basename(path));
  if (indexed !== undefined) return kindIn(indexed);
  return BY_NAME.find(([pattern]) => pattern.test(path))?.[1] ?? 'refusal';
}

/** Kinds as an index writes them begin with our word for them. */
function kindIn(words: string): Expected {
  const kinds = ['collapsed', 'heap_v2', 'symbolized', 'pprof'] as const;
  return kinds.find((kind) => words.startsWith(kind)) ?? 'refusal';
}

function indexOf(folder: string): ReadonlyMap<string, string> {
  const known = indexes.get(folder);
  if (known !== undefined) return known;
  const index = readIndex(join(folder, 'index.tsv'));
  indexes.set(folder, index);
  return index;
}

const indexes = new Map<string, ReadonlyMap<string, string>>();

function readIndex(path: string): ReadonlyMap<string, string> {
  if (!existsSync(path)) return new Map();
  const [head = [], ...rows] = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'));
  const [file, kind] = [head.indexOf('file'), head.indexOf('kind')];
  return new Map(rows.map((row) => [row[file] ?? '', row[kind] ?? '']));
}
