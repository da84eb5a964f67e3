import type { FrameTable } from './frame-table.ts';

export interface ExtendedFrames {
  readonly frames: FrameTable;
  /** Ids of the added names, in their order. They are new ones even where such a name was there before. */
  readonly added: readonly number[];
}

/** A frame table with more names; ids that were there stay. */
export function extendFrames(table: FrameTable, names: readonly string[]): ExtendedFrames {
  const encoder = new TextEncoder();
  const encoded = names.map((name) => encoder.encode(name));
  const size = table.size + names.length;
  const used = table.bytes.length;
  const bytes = new Uint8Array(used + encoded.reduce((sum, name) => sum + name.length, 0));
  bytes.set(table.bytes);
  const offset = new Uint32Array(size);
  offset.set(table.offset.subarray(0, table.size));
  const length = new Uint32Array(size);
  length.set(table.length.subarray(0, table.size));
  let at = used;
  for (const [index, name] of encoded.entries()) {
    bytes.set(name, at);
    offset[table.size + index] = at;
    length[table.size + index] = name.length;
    at += name.length;
  }
  return {
    frames: { size, bytes, offset, length },
    added: names.map((_, index) => table.size + index),
  };
}
