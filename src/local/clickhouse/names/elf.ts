import { closeSync, openSync, readSync } from 'node:fs';

/** The parts of a 64-bit little-endian ELF file that tell what is where. Source: elf(5). */
export interface ElfFile {
  readonly path: string;
  readonly sections: readonly ElfSection[];
  readonly segments: readonly ElfSegment[];
  /** From the GNU build-id note, hex; empty when there is none. */
  readonly buildId: string;
  /** The bytes of a section, or undefined when the file has none of this name. */
  read(sectionName: string): Buffer | undefined;
}

export interface ElfSection {
  readonly name: string;
  /** Virtual address in the file's own numbering. */
  readonly address: number;
  readonly fileOffset: number;
  readonly sizeBytes: number;
  /** Index of the section with the strings of this one (symbol tables). */
  readonly link: number;
}

export interface ElfSegment {
  readonly isExecutable: boolean;
  readonly fileOffset: number;
  readonly address: number;
}

const PT_LOAD = 1;
const PF_X = 1;

/** Opens and reads headers and section names; throws when the file is no 64-bit little-endian ELF. */
export function readElf(path: string): ElfFile {
  const header = readPart(path, 0, 64);
  if (header.readUInt32BE(0) !== 0x7f454c46 || header[4] !== 2 || header[5] !== 1) {
    throw new Error(`${path} is not a 64-bit little-endian ELF file`);
  }
  const segments = readSegments(path, header);
  const sections = readSections(path, header);
  const read = (name: string) => {
    const section = sections.find((candidate) => candidate.name === name);
    return section && readPart(path, section.fileOffset, section.sizeBytes);
  };
  return { path, sections, segments, buildId: buildIdOf(read('.note.gnu.build-id')), read };
}

function readSegments(path: string, header: Buffer): ElfSegment[] {
  const offset = Number(header.readBigUInt64LE(32));
  const size = header.readUInt16LE(54);
  const count = header.readUInt16LE(56);
  const table = readPart(path, offset, size * count);
  const segments: ElfSegment[] = [];
  for (let at = 0; at < table.length; at += size) {
    if (table.readUInt32LE(at) !== PT_LOAD) continue;
    segments.push({
      isExecutable: (table.readUInt32LE(at + 4) & PF_X) !== 0,
      fileOffset: Number(table.readBigUInt64LE(at + 8)),
      address: Number(table.readBigUInt64LE(at + 16)),
    });
  }
  return segments;
}

function readSections(path: string, header: Buffer): ElfSection[] {
  const offset = Number(header.readBigUInt64LE(40));
  const size = header.readUInt16LE(58);
  const count = header.readUInt16LE(60);
  if (offset === 0 || count === 0) return [];
  const table = readPart(path, offset, size * count);
  const at = (index: number) => index * size;
  const fields = (index: number) => ({
    address: Number(table.readBigUInt64LE(at(index) + 16)),
    fileOffset: Number(table.readBigUInt64LE(at(index) + 24)),
    sizeBytes: Number(table.readBigUInt64LE(at(index) + 32)),
    link: table.readUInt32LE(at(index) + 40),
  });
  const nameTable = fields(header.readUInt16LE(62));
  const names = readPart(path, nameTable.fileOffset, nameTable.sizeBytes);
  return Array.from({ length: count }, (_, index) => ({
    name: textAt(names, table.readUInt32LE(at(index))),
    ...fields(index),
  }));
}

function buildIdOf(note: Buffer | undefined): string {
  if (note === undefined || note.length < 16) return '';
  const nameBytes = (note.readUInt32LE(0) + 3) & ~3;
  return note.subarray(12 + nameBytes, 12 + nameBytes + note.readUInt32LE(4)).toString('hex');
}

/** The text that starts at an offset and ends at the next zero byte. */
export function textAt(bytes: Buffer, offset: number): string {
  const end = bytes.indexOf(0, offset);
  return bytes.toString('latin1', offset, end < 0 ? bytes.length : end);
}

function readPart(path: string, offset: number, sizeBytes: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const part = Buffer.alloc(sizeBytes);
    let have = 0;
    while (have < sizeBytes) {
      const count = readSync(file, part, have, sizeBytes - have, offset + have);
      if (count === 0) break;
      have += count;
    }
    return part.subarray(0, have);
  } finally {
    closeSync(file);
  }
}
