import { gzipSync } from 'node:zlib';
import {
  type FunctionInput,
  type LocationInput,
  Profile as PprofMessage,
  type SampleInput,
  StringTable,
} from 'pprof-format';
import { Failure } from '../failure.ts';
import { selfColumn } from '../profile/call-tree.ts';
import { frameName } from '../profile/frame-table.ts';
import type { Profile } from '../profile/profile.ts';
import { visitStacks } from './visit-stacks.ts';

/** What a value of each sample counts, under the names that Go and pprof use for heaps. */
interface Column {
  readonly type: string;
  readonly unit: string;
  readonly values: Float64Array;
}

/** The byte of a gzip header that names the operating system. */
const GZIP_OS_AT = 9;
const UNKNOWN_OS = 0xff;

/**
 * A profile as pprof's gzipped protobuf, for `go tool pprof`, Pyroscope and the like: a function and a location for
 * each frame, whole numbers, notes as comments. Throws `usage` where a number is beyond 64 bits. Source: google/pprof,
 * proto/profile.proto.
 */
export function pprofFile(profile: Profile): Uint8Array {
  const zipped = gzipSync(pprofMessage(profile).encode());
  // Else the same profile would be other bytes on another system.
  zipped[GZIP_OS_AT] = UNKNOWN_OS;
  return zipped;
}

function pprofMessage(profile: Profile): PprofMessage {
  const { tree, notes, samplingIntervalBytes } = profile;
  const strings = new StringTable();
  const columns = columnsOf(profile);
  const functions: FunctionInput[] = [];
  const locations: LocationInput[] = [];
  for (let id = 1; id < tree.frames.size; id += 1) {
    functions.push({ id, name: strings.dedup(frameName(tree.frames, id)) });
    locations.push({ id, line: [{ functionId: id }] });
  }
  const interval = int64(samplingIntervalBytes ?? 0);
  return new PprofMessage({
    stringTable: strings,
    sampleType: columns.map(({ type, unit }) => ({
      type: strings.dedup(type),
      unit: strings.dedup(unit),
    })),
    sample: samplesOf(profile, columns),
    function: functions,
    location: locations,
    ...(interval > 0 && {
      periodType: { type: strings.dedup('space'), unit: strings.dedup('bytes') },
      period: interval,
    }),
    comment: notes.map((note) => strings.dedup(note)),
    defaultSampleType: strings.dedup(columns.at(-1)?.type ?? ''),
  });
}

/** The one that pprof shows unless asked for another is the last. */
function columnsOf({ tree, unit }: Profile): readonly Column[] {
  const samples = tree.selfSamples && { type: 'samples', unit: 'count', values: tree.selfSamples };
  const objects = unit === 'count' ? tree.selfBytes : tree.selfCount;
  return [
    ...(samples === undefined ? [] : [samples]),
    ...(objects === undefined ? [] : [{ type: 'inuse_objects', unit: 'count', values: objects }]),
    ...(unit === 'count'
      ? []
      : [{ type: 'inuse_space', unit: 'bytes', values: selfColumn(tree, 'bytes') }]),
  ];
}

function samplesOf({ tree }: Profile, columns: readonly Column[]): SampleInput[] {
  const samples: SampleInput[] = [];
  visitStacks(tree, (node, path, depth) => {
    samples.push({
      // Leaf first.
      locationId: [...path.subarray(0, depth)].reverse(),
      value: columns.map(({ values }) => int64(values[node] as number)),
    });
  });
  return samples;
}

/** The 64 bits of a signed integer: the library writes no negative numbers. */
function int64(value: number): bigint {
  const integer = BigInt(Math.round(value));
  if (integer === BigInt.asIntN(64, integer)) return BigInt.asUintN(64, integer);
  throw new Failure('usage', {
    what: 'This profile is not written as pprof',
    why: 'It has a number beyond 2^63, and pprof holds none',
    fix: 'Write it as .collapsed or .speedscope.json',
  });
}
