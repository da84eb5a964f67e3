/**
 * Interned frame names: plain typed arrays, so that a profile can go to another thread without a copy.
 * A name is decoded only when somebody looks at it; most frames of a large profile are never drawn.
 * Id 0 is the root's empty name.
 */
export interface FrameTable {
  /** How many ids exist; ids run from 0 to size - 1. */
  readonly size: number;
  /** All names, UTF-8, one after the other. */
  readonly bytes: Uint8Array;
  /** Where a name starts in `bytes`, by id. */
  readonly offset: Uint32Array;
  /** How many bytes a name has, by id. */
  readonly length: Uint32Array;
}

const decoder = new TextDecoder('utf-8');

/** The name of a frame; invalid UTF-8 shows as U+FFFD. */
export function frameName(table: FrameTable, id: number): string {
  const start = table.offset[id] ?? 0;
  return decoder.decode(table.bytes.subarray(start, start + (table.length[id] ?? 0)));
}
