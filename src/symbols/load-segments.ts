import { closeSync, openSync, readSync } from 'node:fs';
import { Failure } from '../failure.ts';

/** A piece of a program that is loaded into memory. */
interface LoadSegment {
  readonly fileOffset: bigint;
  readonly fileBytes: bigint;
  readonly address: bigint;
}

const HEADER_BYTES = 64;
const MAGIC = '\x7fELF';
const CLASS_64 = 2;
const LITTLE_ENDIAN = 1;
const PT_LOAD = 1;

/**
 * Where the linker put what lies at a place of a file: symbolisers ask for that address, dumps tell the place. Reads
 * the program headers of a 64-bit ELF file. Source: System V ABI, chapters 4 and 5.
 */
export class LoadSegments {
  readonly #segments: readonly LoadSegment[];

  /** Throws `usage` for a file that is missing or no such program. */
  constructor(binary: string) {
    this.#segments = readSegments(binary);
  }

  /** Undefined for a place that is not loaded. */
  addressOf(fileOffset: bigint): bigint | undefined {
    const segment = this.#segments.find(
      (one) => fileOffset >= one.fileOffset && fileOffset < one.fileOffset + one.fileBytes,
    );
    return segment && fileOffset - segment.fileOffset + segment.address;
  }
}

function readSegments(binary: string): readonly LoadSegment[] {
  const file = openBinary(binary);
  try {
    const header = readAt(file, 0, HEADER_BYTES);
    const isElf =
      header.length === HEADER_BYTES &&
      header.toString('latin1', 0, 4) === MAGIC &&
      header[4] === CLASS_64 &&
      header[5] === LITTLE_ENDIAN;
    if (!isElf) throw notABinary(binary, 'it is no 64-bit ELF file');
    const [start, size, count] = [
      Number(header.readBigUInt64LE(32)),
      header.readUInt16LE(54),
      header.readUInt16LE(56),
    ];
    return Array.from({ length: count }, (_, index) => readAt(file, start + index * size, size))
      .filter((entry) => entry.length === size && entry.readUInt32LE(0) === PT_LOAD)
      .map((entry) => ({
        fileOffset: entry.readBigUInt64LE(8),
        address: entry.readBigUInt64LE(16),
        fileBytes: entry.readBigUInt64LE(32),
      }));
  } finally {
    closeSync(file);
  }
}

function openBinary(binary: string): number {
  try {
    return openSync(binary, 'r');
  } catch (cause) {
    throw notABinary(binary, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

function notABinary(binary: string, why: string, cause?: unknown): Failure {
  return new Failure('usage', {
    what: `${binary} gives no names`,
    why,
    fix: 'Give the very program that wrote the dump: clickhouse, or its file with debug symbols',
    cause,
  });
}
