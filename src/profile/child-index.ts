import type { Count } from '../units.ts';

/** Ints of a record: parent, frame, node, and one that fills a quarter of a cache line. */
const LG_RECORD_INTS = 2;
const RECORD_INTS = 1 << LG_RECORD_INTS;
const NODE_AT = 2;

/**
 * Finds a node by its parent and its frame. Open addressing over records that carry both, so that a look-up touches
 * one cache line; at least half of them are free.
 */
export class ChildIndex {
  #size = 0;
  #records: Int32Array;

  /** `expected` only saves growing. */
  constructor(expected: Count) {
    let records = 16;
    while (records < expected * 2) records *= 2;
    this.#records = new Int32Array(records * RECORD_INTS);
  }

  /** 0, the root, which is nobody's child, when there is none. */
  find(parent: number, frame: number): number {
    return this.#records[recordOf(this.#records, parent, frame) + NODE_AT] as number;
  }

  /** Adds a node, or puts it in the place of another. */
  set(parent: number, frame: number, node: number): void {
    const at = recordOf(this.#records, parent, frame);
    const isNew = this.#records[at + NODE_AT] === 0;
    write(this.#records, at, parent, frame, node);
    if (!isNew) return;
    this.#size += 1;
    if (this.#size * 2 * RECORD_INTS > this.#records.length) this.#grow();
  }

  #grow(): void {
    const old = this.#records;
    const records = new Int32Array(old.length * 2);
    for (let from = 0; from < old.length; from += RECORD_INTS) {
      const node = old[from + NODE_AT] as number;
      if (node === 0) continue;
      const parent = old[from] as number;
      const frame = old[from + 1] as number;
      write(records, recordOf(records, parent, frame), parent, frame, node);
    }
    this.#records = records;
  }
}

/** Where the record of a pair is, or the free one where it belongs. */
function recordOf(records: Int32Array, parent: number, frame: number): number {
  const mask = records.length - 1;
  // Both factors are odd and far from a power of two; the shift brings high bits to where the mask looks.
  let hash = Math.imul(parent, 0x9e3779b1) ^ Math.imul(frame, 0x85ebca77);
  hash ^= hash >>> 15;
  let at = (hash << LG_RECORD_INTS) & mask;
  while (records[at + NODE_AT] !== 0 && (records[at] !== parent || records[at + 1] !== frame)) {
    at = (at + RECORD_INTS) & mask;
  }
  return at;
}

function write(records: Int32Array, at: number, parent: number, frame: number, node: number): void {
  records[at] = parent;
  records[at + 1] = frame;
  records[at + NODE_AT] = node;
}
