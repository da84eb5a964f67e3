import type { Bytes, Count } from '../units.ts';
import type { CallTree } from './call-tree.ts';
import type { FrameTable } from './frame-table.ts';

/** Ints of one record of the index: parent, frame, node, and one to fill a quarter of a cache line. */
const LG_RECORD_INTS = 2;
const RECORD_INTS = 1 << LG_RECORD_INTS;
const NODE_AT = 2;

/** Above this a copy costs more memory than the spare room does. */
const COPIED_UP_TO_NODES = 1 << 20;

/**
 * A call tree that grows. A node's child is found by its frame through one open-addressing table whose records
 * carry parent and frame themselves, so that a look-up touches one cache line.
 */
export class NodeTable {
  #nodeCount = 1;
  #parent: Int32Array;
  #frame: Int32Array;
  #selfBytes: Float64Array;
  #selfCount: Float64Array | undefined;
  #selfSamples: Float64Array | undefined;
  #records: Int32Array;

  /** `expectedNodes` only saves growing; more are welcome. */
  constructor(expectedNodes: Count = 512) {
    const capacity = powerOfTwoFrom(expectedNodes);
    this.#parent = new Int32Array(capacity);
    this.#frame = new Int32Array(capacity);
    this.#selfBytes = new Float64Array(capacity);
    this.#records = new Int32Array(capacity * 2 * RECORD_INTS);
  }

  get nodeCount(): Count {
    return this.#nodeCount;
  }

  parentOf(node: number): number {
    return this.#parent[node] as number;
  }

  /** The child of a node with this frame, made when it is new. */
  child(parent: number, frame: number): number {
    const records = this.#records;
    const mask = records.length - 1;
    let at = (hashOf(parent, frame) << LG_RECORD_INTS) & mask;
    for (;;) {
      const node = records[at + NODE_AT] as number;
      // The root is nobody's child, so 0 marks a free record.
      if (node === 0) return this.#addAt(parent, frame, at);
      if (records[at] === parent && records[at + 1] === frame) return node;
      at = (at + RECORD_INTS) & mask;
    }
  }

  /** A new node that `child` never finds, also where the parent has a child with this frame. */
  append(parent: number, frame: number): number {
    const node = this.#nodeCount;
    this.#nodeCount += 1;
    if (node === this.#parent.length) this.#growColumns();
    this.#parent[node] = parent;
    this.#frame[node] = frame;
    return node;
  }

  addBytes(node: number, bytes: Bytes): void {
    this.#selfBytes[node] = (this.#selfBytes[node] as number) + bytes;
  }

  addCount(node: number, count: Count): void {
    this.#selfCount ??= new Float64Array(this.#parent.length);
    this.#selfCount[node] = (this.#selfCount[node] as number) + count;
  }

  addSamples(node: number, samples: Count): void {
    this.#selfSamples ??= new Float64Array(this.#parent.length);
    this.#selfSamples[node] = (this.#selfSamples[node] as number) + samples;
  }

  /** Adds what ends in a node of another tree to a node of this one; the columns are those of the other tree. */
  addValuesOf(tree: CallTree, from: number, to: number): void {
    this.addBytes(to, tree.selfBytes[from] as number);
    if (tree.selfCount !== undefined) this.addCount(to, tree.selfCount[from] as number);
    if (tree.selfSamples !== undefined) this.addSamples(to, tree.selfSamples[from] as number);
  }

  /** The tree so far. Nothing may be added afterwards. */
  build(frames: FrameTable): CallTree {
    const nodeCount = this.#nodeCount;
    return {
      nodeCount,
      parent: cut(this.#parent, nodeCount),
      frame: cut(this.#frame, nodeCount),
      selfBytes: cut(this.#selfBytes, nodeCount),
      ...(this.#selfCount && { selfCount: cut(this.#selfCount, nodeCount) }),
      ...(this.#selfSamples && { selfSamples: cut(this.#selfSamples, nodeCount) }),
      frames,
    };
  }

  #addAt(parent: number, frame: number, freeRecord: number): number {
    const records = this.#records;
    const node = this.append(parent, frame);
    records[freeRecord] = parent;
    records[freeRecord + 1] = frame;
    records[freeRecord + NODE_AT] = node;
    if (this.#nodeCount * 2 * RECORD_INTS > records.length) this.#growRecords();
    return node;
  }

  #growColumns(): void {
    this.#parent = grown(this.#parent, new Int32Array(this.#parent.length * 2));
    this.#frame = grown(this.#frame, new Int32Array(this.#frame.length * 2));
    this.#selfBytes = grown(this.#selfBytes, new Float64Array(this.#selfBytes.length * 2));
    this.#selfCount &&= grown(this.#selfCount, new Float64Array(this.#selfCount.length * 2));
    this.#selfSamples &&= grown(this.#selfSamples, new Float64Array(this.#selfSamples.length * 2));
  }

  #growRecords(): void {
    const records = new Int32Array(this.#records.length * 2);
    const mask = records.length - 1;
    for (let node = 1; node < this.#nodeCount; node += 1) {
      const parent = this.#parent[node] as number;
      const frame = this.#frame[node] as number;
      let at = (hashOf(parent, frame) << LG_RECORD_INTS) & mask;
      while (records[at + NODE_AT] !== 0) at = (at + RECORD_INTS) & mask;
      records[at] = parent;
      records[at + 1] = frame;
      records[at + NODE_AT] = node;
    }
    this.#records = records;
  }
}

/** Spreads (parent, frame) over 32 bits; the factors are odd and far from a power of two. */
function hashOf(parent: number, frame: number): number {
  const mixed = Math.imul(parent, 0x9e3779b1) ^ Math.imul(frame, 0x85ebca77);
  return mixed ^ (mixed >>> 15);
}

function powerOfTwoFrom(size: Count): Count {
  let power = 16;
  while (power < size) power *= 2;
  return power;
}

/** A column without its spare room: cloning a view into another thread would copy the room as well. */
function cut<Column extends Int32Array | Float64Array>(column: Column, nodeCount: Count): Column {
  const isWorthCopying = nodeCount < COPIED_UP_TO_NODES && nodeCount < column.length;
  return (isWorthCopying ? column.slice(0, nodeCount) : column.subarray(0, nodeCount)) as Column;
}

function grown<Column extends Int32Array | Float64Array>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}
