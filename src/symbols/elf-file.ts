import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { Failure } from '../failure.ts';
import type { Bytes } from '../units.ts';

const HEADER_BYTES: Bytes = 64;
const SEGMENT_ENTRY_BYTES: Bytes = 56;
const SECTION_ENTRY_BYTES: Bytes = 64;
const MAGIC = '\x7fELF';
const CLASS_64 = 2;
const LITTLE_ENDIAN = 1;

/** A 64-bit ELF file, by the tables that say what is where. Source: System V ABI, chapters 4 and 5. */
export class ElfFile {
  readonly path: string;
  readonly #header: Buffer;

  /** Throws `usage` for a file that is missing or no such file; so do the methods when it has gone. */
  constructor(path: string) {
    this.path = path;
    this.#header = this.read(0n, BigInt(HEADER_BYTES));
    const isElf =
      this.#header.length === HEADER_BYTES &&
      this.#header.toString('latin1', 0, MAGIC.length) === MAGIC &&
      this.#header[4] === CLASS_64 &&
      this.#header[5] === LITTLE_ENDIAN;
    if (!isElf) throw notAProgram(path, 'It is no 64-bit ELF file');
  }

  /** What processor its code is for (e_machine). */
  get machine(): number {
    return this.#header.readUInt16LE(18);
  }

  /** Entries of the program headers, as they lie in the file. */
  segments(): readonly Buffer[] {
    return this.#table({ offsetAt: 32, entryBytesAt: 54, leastBytes: SEGMENT_ENTRY_BYTES });
  }

  /** Entries of the section headers, as they lie in the file; none in a file that was stripped of them. */
  sections(): readonly Buffer[] {
    return this.#table({ offsetAt: 40, entryBytesAt: 58, leastBytes: SECTION_ENTRY_BYTES });
  }

  /** What is there of so many bytes: a file may be cut off, or claim more than it has. */
  read(position: bigint, length: bigint): Buffer {
    try {
      const file = openSync(this.path, 'r');
      try {
        const left = fstatSync(file).size - Number(position);
        const bytes = Buffer.alloc(Math.max(0, Math.min(Number(length), left)));
        return bytes.subarray(0, readSync(file, bytes, { position }));
      } finally {
        closeSync(file);
      }
    } catch (cause) {
      throw notAProgram(this.path, cause instanceof Error ? cause.message : String(cause), cause);
    }
  }

  #table({ offsetAt, entryBytesAt, leastBytes }: TableFields): readonly Buffer[] {
    const header = this.#header;
    const entryBytes = header.readUInt16LE(entryBytesAt);
    if (entryBytes < leastBytes) return [];
    const count = header.readUInt16LE(entryBytesAt + 2);
    const table = this.read(header.readBigUInt64LE(offsetAt), BigInt(entryBytes * count));
    return Array.from({ length: Math.floor(table.length / entryBytes) }, (_, index) =>
      table.subarray(index * entryBytes, (index + 1) * entryBytes),
    );
  }
}

/** Where the header tells of a table. The number of entries follows on the size of one. */
interface TableFields {
  readonly offsetAt: number;
  readonly entryBytesAt: number;
  /** Entries of fewer are of no known layout. */
  readonly leastBytes: Bytes;
}

function notAProgram(path: string, why: string, cause?: unknown): Failure {
  return new Failure('usage', {
    what: `${path} gives no names`,
    why,
    fix: 'Give the very program that wrote the dump, such as clickhouse',
    cause,
  });
}
