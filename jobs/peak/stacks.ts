import type { Profile } from '../../src/profile/profile.ts';
import { TreeBuilder } from '../../src/profile/tree-builder.ts';
import type { Ask } from '../ask.ts';
import { readSymbols, type Symbols } from '../symbols.ts';
import type { Measured, StackRow } from './measure.ts';

export interface NamedStacks {
  readonly profile: Profile;
  /** "trace_log.symbols": who named the functions, for the context line. */
  readonly symbolSource: string;
}

/** Stacks with names: the log's own where it has them, else the server is asked once for each address. */
export async function nameStacks(measured: Measured, ask: Ask): Promise<NamedStacks> {
  const { stacks, source } = measured;
  const unnamed = new Set(stacks.flatMap(unnamedAddresses));
  const symbols = unnamed.size === 0 ? undefined : await readSymbols(unnamed, ask);
  const tree = new TreeBuilder();
  let [totalBytes, totalCount, sampleCount] = [0, 0, 0];
  for (const row of stacks) {
    const { liveBytes: bytes, objectCount: count, sampleCount: samples } = row;
    tree.add(namesOf(row, symbols).toReversed(), { bytes, count, samples });
    totalBytes += bytes;
    totalCount += count;
    sampleCount += samples;
  }
  return {
    symbolSource: sourceWords(stacks, symbols),
    profile: {
      kind: 'trace_log',
      tree: tree.build(),
      unit: 'bytes',
      ...{ totalBytes, totalCount, sampleCount },
      stackCount: stacks.length,
      ...(source.intervalBytes === 0 ? {} : { samplingIntervalBytes: source.intervalBytes }),
      unsampled: true,
      skippedLines: 0,
      firstSkipped: [],
      notes: [],
    },
  };
}

function unnamedAddresses({ addresses, symbols }: StackRow): readonly string[] {
  return addresses.filter((_, index) => isNone(symbols[index]));
}

/** Leaf first. */
function namesOf({ addresses, symbols }: StackRow, looked: Symbols | undefined): string[] {
  return addresses.map((address, index) => {
    const name = symbols[index];
    return isNone(name) ? (looked?.nameOf(address) ?? address) : (name as string);
  });
}

function isNone(name: string | undefined): boolean {
  return name === undefined || name === '' || name === '??';
}

function sourceWords(stacks: readonly StackRow[], looked: Symbols | undefined): string {
  const hasOwn = stacks.some(({ symbols }) => symbols.some((name) => !isNone(name)));
  const found = looked === undefined || looked.source === 'none' ? undefined : looked.source;
  const words = [...(hasOwn ? ['trace_log.symbols'] : []), ...(found === undefined ? [] : [found])];
  return words.join(' and ') || 'none, addresses only';
}
