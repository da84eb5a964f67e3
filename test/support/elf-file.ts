import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A program of which the file from 0x1000 on is code, and put at 0x401000 by the linker. */
export interface ProgramFile {
  readonly name?: string;
  /** How much code there is: two pages unless said. */
  readonly codeBytes?: number;
  /** Places in the file behind a call. */
  readonly returnPlaces?: readonly number[];
  readonly buildId?: string;
  /** Addresses, as the linker put them, from which to which a function goes. */
  readonly functions?: readonly (readonly [number, number])[];
}

const HEADER_BYTES = 64;
const SEGMENT_BYTES = 56;
const SECTION_BYTES = 64;
const SYMBOL_BYTES = 24;
const NOTE_AT = 0x200;
const SYMBOLS_AT = 0x400;
const SECTIONS_AT = 0x800;
const CODE_AT = 0x1000;
const X86_64 = 62;

/** Writes such a program into a folder; gives its path. */
export function writeProgram(folder: string, file: ProgramFile = {}): string {
  const { name = 'orders', codeBytes = 0x2000, returnPlaces = [], functions = [] } = file;
  const elf = Buffer.alloc(CODE_AT + codeBytes);
  writeHeader(elf);
  const note = noteOf(file.buildId);
  elf.set(note, NOTE_AT);
  // Loadable, to be read and run; then notes.
  writeSegment(elf, 0, { type: 1, flags: 5, at: CODE_AT, address: 0x401000, bytes: codeBytes });
  writeSegment(elf, 1, { type: 4, flags: 4, at: NOTE_AT, address: 0, bytes: note.length });
  for (const place of returnPlaces) {
    elf.writeUInt8(0xe8, place - 5);
    elf.writeInt32LE(CODE_AT - place, place - 4);
  }
  for (const [index, [start, end]] of functions.entries()) {
    const at = SYMBOLS_AT + index * SYMBOL_BYTES;
    elf.writeUInt8(2, at + 4);
    elf.writeUInt16LE(1, at + 6);
    elf.writeBigUInt64LE(BigInt(start), at + 8);
    elf.writeBigUInt64LE(BigInt(end - start), at + 16);
  }
  elf.writeUInt32LE(2, SECTIONS_AT + 4);
  elf.writeBigUInt64LE(BigInt(SYMBOLS_AT), SECTIONS_AT + 24);
  elf.writeBigUInt64LE(BigInt(functions.length * SYMBOL_BYTES), SECTIONS_AT + 32);
  const path = join(folder, name);
  writeFileSync(path, elf);
  return path;
}

function writeHeader(elf: Buffer): void {
  elf.write('\x7fELF', 'latin1');
  elf.set([2, 1, 1], 4);
  elf.writeUInt16LE(X86_64, 18);
  elf.writeBigUInt64LE(BigInt(HEADER_BYTES), 32);
  elf.writeBigUInt64LE(BigInt(SECTIONS_AT), 40);
  elf.writeUInt16LE(SEGMENT_BYTES, 54);
  elf.writeUInt16LE(2, 56);
  elf.writeUInt16LE(SECTION_BYTES, 58);
  elf.writeUInt16LE(1, 60);
}

interface Segment {
  readonly type: number;
  readonly flags: number;
  readonly at: number;
  readonly address: number;
  readonly bytes: number;
}

function writeSegment(elf: Buffer, index: number, segment: Segment): void {
  const at = HEADER_BYTES + index * SEGMENT_BYTES;
  elf.writeUInt32LE(segment.type, at);
  elf.writeUInt32LE(segment.flags, at + 4);
  elf.writeBigUInt64LE(BigInt(segment.at), at + 8);
  elf.writeBigUInt64LE(BigInt(segment.address), at + 16);
  elf.writeBigUInt64LE(BigInt(segment.bytes), at + 32);
}

/** A note of another kind first, as linkers write them; then the build id. */
function noteOf(buildId: string | undefined): Buffer {
  if (buildId === undefined) return Buffer.alloc(0);
  const abi = Buffer.from(
    '040000001000000001000000474e550000000000030000000200000000000000',
    'hex',
  );
  const id = Buffer.from(buildId, 'hex');
  const header = Buffer.alloc(16);
  header.writeUInt32LE(4, 0);
  header.writeUInt32LE(id.length, 4);
  header.writeUInt32LE(3, 8);
  header.write('GNU\0', 12, 'latin1');
  return Buffer.concat([abi, header, id]);
}
