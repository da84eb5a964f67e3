const NT_GNU_BUILD_ID = 3;
const OWNER = 'GNU\0';
/** Lengths of the owner and of what is noted, and the type. */
const NOTE_HEADER_BYTES = 12;
const ALIGNMENT = 4;

/**
 * The build id in the notes of a program, in lower-case hex: linkers make it from all that they link, so that two
 * files with the same one hold the same code. Undefined where there is none. Source: elf(5), "Notes (Nhdr)".
 */
export function gnuBuildId(notes: Buffer): string | undefined {
  for (let at = 0; at + NOTE_HEADER_BYTES <= notes.length; ) {
    const ownerStart = at + NOTE_HEADER_BYTES;
    const ownerEnd = ownerStart + notes.readUInt32LE(at);
    const start = aligned(ownerEnd);
    const end = start + notes.readUInt32LE(at + 4);
    const isBuildId =
      notes.readUInt32LE(at + 8) === NT_GNU_BUILD_ID &&
      notes.toString('latin1', ownerStart, ownerEnd) === OWNER;
    if (isBuildId && end <= notes.length) return notes.toString('hex', start, end);
    at = aligned(end);
  }
  return undefined;
}

function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}
