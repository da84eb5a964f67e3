import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import * as z from 'zod';
import { Failure } from '../failure.ts';
import type { CallTree } from '../profile/call-tree.ts';
import type { FrameTable } from '../profile/frame-table.ts';
import type { Profile } from '../profile/profile.ts';

/**
 * A profile as bytes, version 1: "mprf", one byte for the version, then brotli of
 *
 *     length of the head, uint32 | head, JSON | columns of the tree | frame names
 *
 * All numbers are little-endian, as on every machine that Node runs on. Columns stand in the order of `Head.columns`.
 * Parents are kept as distances: trees are built depth first, so nearly all of them are small.
 */
const MAGIC = 'mprf';
const VERSION = 1;
const HEAD_START = 4;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

const Count = z.number().int().nonnegative();

const Head = z.object({
  nodeCount: Count.min(1),
  frameCount: Count.min(1),
  nameBytes: Count,
  columns: z.array(z.enum(['selfCount', 'selfSamples'])),
  profile: z.object({
    kind: z.custom<Profile['kind']>((kind) => typeof kind === 'string'),
    unit: z.enum(['bytes', 'count']),
    totalBytes: z.number(),
    totalCount: z.number(),
    stackCount: Count,
    sampleCount: Count.optional(),
    samplingIntervalBytes: z.number().positive().optional(),
    unsampled: z.boolean(),
    skippedLines: Count,
    firstSkipped: z
      .array(z.object({ lineNumber: Count, text: z.string(), why: z.string() }))
      .readonly(),
    notes: z.array(z.string()).readonly(),
  }),
});
type Head = z.infer<typeof Head>;

export async function encodeProfile(profile: Profile): Promise<Buffer> {
  const { tree, ...rest } = profile;
  const columns = (['selfCount', 'selfSamples'] as const).filter(
    (name) => tree[name] !== undefined,
  );
  const names = namesInOrder(tree.frames);
  const head = Buffer.from(
    JSON.stringify({
      nodeCount: tree.nodeCount,
      frameCount: tree.frames.size,
      nameBytes: names.length,
      columns,
      profile: rest,
    } satisfies Head),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  const body = Buffer.concat([
    length,
    head,
    ...[
      distances(tree.parent, tree.nodeCount),
      tree.frame.subarray(0, tree.nodeCount),
      tree.selfBytes.subarray(0, tree.nodeCount),
      ...columns.map((name) => (tree[name] as Float64Array).subarray(0, tree.nodeCount)),
      tree.frames.length.subarray(0, tree.frames.size),
    ].map(bytesOf),
    names,
  ]);
  const packed = await compress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  return Buffer.concat([Buffer.from(MAGIC), Buffer.of(VERSION), packed]);
}

/** Throws `broken-profile` for what `encodeProfile` did not write, or a newer memprof did. */
export async function decodeProfile(bytes: Uint8Array): Promise<Profile> {
  const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (packed.subarray(0, HEAD_START).toString('latin1') !== MAGIC) {
    throw broken('it does not begin as one');
  }
  const version = packed[HEAD_START];
  if (version !== VERSION) {
    throw broken(`it is of version ${version}, and this memprof reads version ${VERSION}`);
  }
  try {
    return unpack(await decompress(packed.subarray(HEAD_START + 1)));
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw broken('its bytes are damaged', cause);
  }
}

function unpack(body: Buffer): Profile {
  const headLength = body.readUInt32LE(0);
  const head = Head.parse(JSON.parse(body.subarray(4, 4 + headLength).toString()));
  let at = 4 + headLength;
  const take = (length: number): ArrayBuffer => {
    if (at + length > body.length) throw broken('its end is missing');
    const part = new Uint8Array(body.subarray(at, at + length));
    at += length;
    return part.buffer;
  };
  const { nodeCount, frameCount, nameBytes, columns } = head;
  const parent = undistances(new Int32Array(take(4 * nodeCount)));
  const frame = new Int32Array(take(4 * nodeCount));
  const selfBytes = new Float64Array(take(8 * nodeCount));
  const more = Object.fromEntries(
    columns.map((name) => [name, new Float64Array(take(8 * nodeCount))]),
  );
  const length = new Uint32Array(take(4 * frameCount));
  const frames = {
    size: frameCount,
    offset: offsets(length),
    length,
    bytes: new Uint8Array(take(nameBytes)),
  };
  const tree: CallTree = { nodeCount, parent, frame, selfBytes, ...more, frames };
  const { sampleCount, samplingIntervalBytes, ...rest } = head.profile;
  return {
    ...rest,
    ...(sampleCount === undefined ? {} : { sampleCount }),
    ...(samplingIntervalBytes === undefined ? {} : { samplingIntervalBytes }),
    tree,
  };
}

/** Names one after the other without gaps, so that their lengths say where each one is. */
function namesInOrder({ size, bytes, offset, length }: FrameTable): Buffer {
  return Buffer.concat(
    Array.from({ length: size }, (_, id) => {
      const start = offset[id] ?? 0;
      return bytes.subarray(start, start + (length[id] ?? 0));
    }),
  );
}

function distances(parent: Int32Array, nodeCount: number): Int32Array {
  return parent.subarray(0, nodeCount).map((node, index) => index - node);
}

function undistances(column: Int32Array): Int32Array {
  return column.map((distance, index) => index - distance);
}

function offsets(lengths: Uint32Array): Uint32Array {
  let at = 0;
  return lengths.map((length) => {
    at += length;
    return at - length;
  });
}

function bytesOf(column: Int32Array | Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}

function broken(why: string, cause?: unknown): Failure {
  return new Failure('broken-profile', {
    what: 'A kept profile cannot be read',
    why,
    fix: 'Run the investigation again',
    ...(cause === undefined ? {} : { cause }),
  });
}
