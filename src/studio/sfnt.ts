/**
 * A TrueType file without some of its tables. Layout: header of 12 bytes with the number of tables, then 16 bytes a
 * table (tag, checksum, offset, length), then the tables on borders of four bytes. Source: OpenType, "Font file".
 */
export function withoutTables(font: Uint8Array, dropped: readonly string[]): Uint8Array {
  const source = Buffer.from(font);
  const tables: { readonly entry: Buffer; readonly content: Buffer }[] = [];
  for (let index = 0; index < source.readUInt16BE(4); index += 1) {
    const entry = Buffer.from(source.subarray(12 + index * 16, 28 + index * 16));
    if (dropped.includes(entry.toString('latin1', 0, 4))) continue;
    const offset = entry.readUInt32BE(8);
    tables.push({ entry, content: source.subarray(offset, offset + entry.readUInt32BE(12)) });
  }
  const header = Buffer.from(source.subarray(0, 12));
  const power = Math.floor(Math.log2(tables.length));
  header.writeUInt16BE(tables.length, 4);
  header.writeUInt16BE(2 ** power * 16, 6);
  header.writeUInt16BE(power, 8);
  header.writeUInt16BE(tables.length * 16 - 2 ** power * 16, 10);
  let offset = 12 + tables.length * 16;
  const contents: Buffer[] = [];
  for (const { entry, content } of tables) {
    entry.writeUInt32BE(offset, 8);
    const padded = Buffer.alloc(Math.ceil(content.length / 4) * 4);
    content.copy(padded);
    contents.push(padded);
    offset += padded.length;
  }
  return Buffer.concat([header, ...tables.map(({ entry }) => entry), ...contents]);
}
