import type { Profile } from '../../src/profile/profile.ts';
import { TreeBuilder } from '../../src/profile/tree-builder.ts';
import type { EpochMicros } from '../../src/units.ts';
import { serverStart } from '../../templates/sql/frag-server.ts';
import type { Ask } from '../ask.ts';
import { readSymbols, type Symbols } from '../symbols.ts';
import type { Measured, StackRow } from './measure.ts';

export interface NamedStacks {
  readonly profile: Profile;
  /** "trace_log.symbols": who named the functions, and what makes that doubtful; for the context line. */
  readonly symbolSource: string;
}

/** Addresses are of the program that ran then. */
const OTHER_START =
  ' (doubtful: the server was started since, and another build has other functions there)';
/** The server tells its uptime in whole seconds. */
const UPTIME_STEP_MICROS = 1_000_000;

/** Stacks with names: the log's own where it has them, else the server is asked once for each address. */
export async function nameStacks(measured: Measured, ask: Ask): Promise<NamedStacks> {
  const { stacks, source } = measured;
  const unnamed = new Set(stacks.flatMap(unnamedAddresses));
  const symbols = unnamed.size === 0 ? undefined : await readSymbols(unnamed, ask);
  const isNamedNow = symbols !== undefined && symbols.source !== 'none';
  const isOtherStart = isNamedNow && (await hasStartedSince(measured.curve.endAtMicros, ask));
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
    symbolSource: `${sourceWords(stacks, symbols)}${isOtherStart ? OTHER_START : ''}`,
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

/** Whether the server that is asked for names started after that time. */
async function hasStartedSince(atMicros: EpochMicros, ask: Ask): Promise<boolean> {
  const [start] = (await ask("the server's uptime", serverStart, {})) ?? [];
  return start !== undefined && start.startedAtMicros > atMicros + UPTIME_STEP_MICROS;
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
