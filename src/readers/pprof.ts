import { type Location, Profile as PprofMessage } from 'pprof-format';
import { formatCountOf } from '../format.ts';
import { NO_STACK } from '../profile/no-stack.ts';
import type { Profile } from '../profile/profile.ts';
import { stackCountOf } from '../profile/stack-count.ts';
import { type StackValue, TreeBuilder } from '../profile/tree-builder.ts';
import type { Count } from '../units.ts';
import { brokenProfile, notAProfile } from './not-a-profile.ts';
import type { ReadOptions } from './read-options.ts';
import { readable } from './skipped-lines.ts';

type Numeric = number | bigint;

/** Comments of a profile that are shown beside its figures. */
const MOST_NOTES = 10;

/** Values of one sample that are looked at; -1 where the profile has no such type. */
interface Columns {
  readonly bytes: number;
  readonly count: number;
  /** Raw samples, as memprof writes them. */
  readonly samples: number;
}

/** A pprof profile, unpacked. What it counts comes from its sample types: space and objects, live before allocated. */
export function readPprof(bytes: Uint8Array, options: ReadOptions = {}): Profile {
  const message = decode(bytes);
  const columns = columnsOf(message, options);
  const builder = new TreeBuilder();
  const stackAt = stacksOf(message);
  let shortCount = 0;
  let lostCount = 0;
  let totalBytes = 0;
  let totalCount = 0;
  let sampleCount = 0;
  for (const { locationId, value } of message.sample) {
    const stackValue = stackValueOf(columns, value);
    if (value.length < message.sampleType.length) shortCount += 1;
    const { bytes, count = 0, samples = 0 } = stackValue;
    if (bytes === 0 && count === 0) continue;
    totalBytes += bytes;
    totalCount += columns.bytes < 0 ? bytes : count;
    sampleCount += samples;
    const stack = stackAt(locationId);
    if (stack.length === 0 && locationId.length > 0) lostCount += 1;
    builder.add(stack.length === 0 ? [NO_STACK] : stack, stackValue);
  }
  const tree = builder.build();
  const interval = text(message, message.periodType?.unit) === 'bytes' ? Number(message.period) : 0;
  return {
    kind: 'pprof',
    tree,
    unit: columns.bytes < 0 ? 'count' : 'bytes',
    totalBytes,
    totalCount,
    stackCount: stackCountOf(tree),
    ...(columns.samples < 0 ? {} : { sampleCount }),
    ...(interval > 0 ? { samplingIntervalBytes: interval } : {}),
    unsampled: interval > 0,
    skippedLines: 0,
    firstSkipped: [],
    notes: [
      ...faultNotes(shortCount, lostCount),
      ...message.comment.slice(0, MOST_NOTES).map((comment) => noteOf(message, comment)),
    ],
  };
}

/** What is wrong with samples, which are counted all the same. */
function faultNotes(shortCount: Count, lostCount: Count): readonly string[] {
  const short = `${formatCountOf(shortCount, 'sample')} with fewer values than the profile has types: those missing are taken for 0`;
  const lost = `${formatCountOf(lostCount, 'sample')} of places that the profile does not have: shown without a stack`;
  return [...(shortCount > 0 ? [short] : []), ...(lostCount > 0 ? [lost] : [])];
}

function noteOf(message: PprofMessage, comment: Numeric): string {
  return readable(Buffer.from(text(message, comment)));
}

function stackValueOf({ bytes, count, samples }: Columns, value: readonly Numeric[]): StackValue {
  const at = (column: number): number => signed(value[column] ?? 0);
  return {
    // Where the profile counts objects only, they are what is drawn.
    bytes: at(bytes < 0 ? count : bytes),
    ...(bytes < 0 || count < 0 ? {} : { count: at(count) }),
    ...(samples < 0 ? {} : { samples: at(samples) }),
  };
}

function decode(bytes: Uint8Array): PprofMessage {
  let message: PprofMessage;
  try {
    message = PprofMessage.decode(bytes);
  } catch (cause) {
    throw brokenProfile(
      'It begins as a pprof profile, but its fields do not go on as such',
      undefined,
      cause,
    );
  }
  if (message.sampleType.length === 0)
    throw brokenProfile('It is a pprof profile without a type of samples');
  return message;
}

function columnsOf(message: PprofMessage, { values = 'live' }: ReadOptions): Columns {
  const types = message.sampleType.map(({ type, unit }) => ({
    name: text(message, type),
    unit: text(message, unit),
  }));
  const wanted = values === 'live' ? /^inuse_|^space$|^objects$/ : /^alloc_|^space$|^objects$/;
  const find = (unit: RegExp): number => {
    const exact = types.findIndex((type) => unit.test(type.unit) && wanted.test(type.name));
    return exact < 0 ? types.findLastIndex((type) => unit.test(type.unit)) : exact;
  };
  const count = find(/^(?:count|objects)$/);
  const samples = types.findIndex(({ name, unit }) => name === 'samples' && unit === 'count');
  // Where nothing else is counted, samples are taken for the objects.
  const columns = { bytes: find(/^bytes$/), count, samples: samples === count ? -1 : samples };
  const isOfTime = types.some(({ unit }) => /seconds$/.test(unit));
  if (columns.bytes < 0 && (columns.count < 0 || isOfTime)) {
    const kinds = readable(
      Buffer.from(types.map(({ name, unit }) => `${name} in ${unit}`).join(', ')),
    );
    throw notAProfile(`It is a pprof profile of ${kinds}, and memprof reads profiles of memory`);
  }
  return columns;
}

/** Gives the frames of a sample, root first. pprof has both leaf first: locations, and functions inlined in one. */
function stacksOf(message: PprofMessage): (ids: readonly Numeric[]) => readonly string[] {
  const functions = new Map(
    message.function.map(({ id, name, systemName }) => [
      Number(id),
      text(message, name) || text(message, systemName),
    ]),
  );
  const modules = modulesOf(message);
  const frames = new Map(
    message.location.map((location) => {
      const names = location.line
        .map(({ functionId }) => functions.get(Number(functionId)) ?? '')
        .filter((name) => name !== '')
        .reverse();
      return [Number(location.id), names.length > 0 ? names : [modules(location)]];
    }),
  );
  return (ids) => ids.toReversed().flatMap((id) => frames.get(Number(id)) ?? []);
}

/** Names a location without a function by module and offset in the file, or by its address. */
function modulesOf(message: PprofMessage): (location: Location) => string {
  const mappings = new Map(message.mapping.map((mapping) => [Number(mapping.id), mapping]));
  return ({ mappingId, address }) => {
    const mapping = mappings.get(Number(mappingId));
    const file = text(message, mapping?.filename);
    if (mapping === undefined || file === '') return `0x${BigInt(address).toString(16)}`;
    const offset = BigInt(address) - BigInt(mapping.memoryStart) + BigInt(mapping.fileOffset);
    return `${file.slice(file.lastIndexOf('/') + 1)}+0x${BigInt.asUintN(64, offset).toString(16)}`;
  };
}

function text(message: PprofMessage, index: Numeric | undefined): string {
  return message.stringTable.strings[Number(index ?? 0)] ?? '';
}

/** int64 comes as its 64 bits without a sign. */
function signed(value: Numeric): number {
  return Number(BigInt.asIntN(64, BigInt(value)));
}
