import { basename } from 'node:path';
import { endsInCall, LONGEST_CALL } from './call-sites.ts';
import { ElfFile } from './elf-file.ts';
import { FunctionRanges } from './function-ranges.ts';
import { gnuBuildId } from './gnu-build-id.ts';

/** A piece of a program that is loaded into memory to be run. */
export interface CodeSegment {
  readonly fileOffset: bigint;
  readonly fileBytes: bigint;
  /** Where the linker put it. */
  readonly address: bigint;
}

const PT_LOAD = 1;
const PT_NOTE = 4;
const PF_X = 1;
const SHT_SYMTAB = 2;
const SHT_DYNSYM = 11;

/** A program or library: which build it is, where the linker put its code, which addresses are those of functions. */
export class Program {
  readonly #file: ElfFile;
  /** Nothing where only debug symbols are in the file. */
  readonly code: readonly CodeSegment[];
  /** Of the GNU note, in lower-case hex; undefined where the linker wrote none. */
  readonly buildId: string | undefined;
  #functions: FunctionRanges | undefined;

  /** Throws `usage` for a file that is missing or no 64-bit ELF file. */
  constructor(path: string) {
    this.#file = new ElfFile(path);
    const segments = this.#file.segments();
    this.code = segments
      .filter(isCode)
      .map((entry) => ({
        fileOffset: entry.readBigUInt64LE(8),
        address: entry.readBigUInt64LE(16),
        fileBytes: entry.readBigUInt64LE(32),
      }))
      .filter(({ fileBytes }) => fileBytes > 0n);
    this.buildId = segments
      .filter((entry) => entry.readUInt32LE(0) === PT_NOTE)
      .map((entry) =>
        gnuBuildId(this.#file.read(entry.readBigUInt64LE(8), entry.readBigUInt64LE(32))),
      )
      .find((buildId) => buildId !== undefined);
  }

  get path(): string {
    return this.#file.path;
  }

  /** What the file is called where it is mapped. */
  get module(): string {
    return basename(this.path);
  }

  /** Symbolisers ask for the linker's address, dumps tell the place in the file. Undefined for what is no code. */
  addressOf(fileOffset: bigint): bigint | undefined {
    const segment = this.code.find(
      (one) => fileOffset >= one.fileOffset && fileOffset < one.fileOffset + one.fileBytes,
    );
    return segment && fileOffset - segment.fileOffset + segment.address;
  }

  /** Whether a place can be one that a call returns to; undefined where the processor is not known. */
  isReturnPlace(fileOffset: bigint): boolean | undefined {
    const length = fileOffset < LONGEST_CALL ? fileOffset : BigInt(LONGEST_CALL);
    const before = this.#file.read(fileOffset - length, length);
    return endsInCall(
      this.#file.machine,
      before,
      (distance) => this.addressOf(fileOffset + BigInt(distance)) !== undefined,
    );
  }

  /** Whether an address, as the linker put it, lies in a function of which the file tells where it ends. */
  isInFunction(address: bigint): boolean {
    this.#functions ??= new FunctionRanges(
      this.#file
        .sections()
        .filter((entry) => [SHT_SYMTAB, SHT_DYNSYM].includes(entry.readUInt32LE(4)))
        .map((entry) => this.#file.read(entry.readBigUInt64LE(24), entry.readBigUInt64LE(32))),
    );
    return this.#functions.covers(Number(address));
  }
}

function isCode(entry: Buffer): boolean {
  return entry.readUInt32LE(0) === PT_LOAD && (entry.readUInt32LE(4) & PF_X) !== 0;
}
