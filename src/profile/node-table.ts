import type { Bytes, Count } from '../units.ts';
import type { CallTree } from './call-tree.ts';
import { ChildIndex } from './child-index.ts';
import { doubledFloats, doubledInts } from './columns.ts';
import type { FrameTable } from './frame-table.ts';

/** A call tree that grows node by node. */
export class NodeTable {
  #nodeCount = 1;
  #parent: Int32Array;
  #frame: Int32Array;
  #selfBytes: Float64Array;
  #selfCount: Float64Array | undefined;
  #selfSamples: Float64Array | undefined;
  #index: ChildIndex;

  /** `expectedNodes` only saves growing; more are welcome. */
  constructor(expectedNodes: Count = 512) {
    const capacity = Math.max(16, expectedNodes);
    this.#parent = new Int32Array(capacity);
    this.#frame = new Int32Array(capacity);
    this.#selfBytes = new Float64Array(capacity);
    this.#index = new ChildIndex(capacity);
  }

  get nodeCount(): Count {
    return this.#nodeCount;
  }

  /** The child of a node with this frame, made when it is new. */
  child(parent: number, frame: number): number {
    const known = this.#index.find(parent, frame);
    if (known !== 0) return known;
    const node = this.append(parent, frame);
    this.#index.set(parent, frame, node);
    return node;
  }

  /** A new node that `child` never finds, also where the parent has a child with this frame. */
  append(parent: number, frame: number): number {
    const node = this.#nodeCount;
    this.#nodeCount += 1;
    if (node === this.#parent.length) this.#grow();
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

  /** Adds what ends in a node of another tree to a node of this one. */
  addValuesOf(tree: CallTree, from: number, to: number): void {
    this.addBytes(to, tree.selfBytes[from] as number);
    if (tree.selfCount !== undefined) this.addCount(to, tree.selfCount[from] as number);
    if (tree.selfSamples !== undefined) this.addSamples(to, tree.selfSamples[from] as number);
  }

  /** The tree so far. Its columns have no spare room: cloning a view into another thread would copy that as well. */
  build(frames: FrameTable): CallTree {
    const nodeCount = this.#nodeCount;
    return {
      nodeCount,
      parent: this.#parent.slice(0, nodeCount),
      frame: this.#frame.slice(0, nodeCount),
      selfBytes: this.#selfBytes.slice(0, nodeCount),
      ...(this.#selfCount && { selfCount: this.#selfCount.slice(0, nodeCount) }),
      ...(this.#selfSamples && { selfSamples: this.#selfSamples.slice(0, nodeCount) }),
      frames,
    };
  }

  #grow(): void {
    this.#parent = doubledInts(this.#parent);
    this.#frame = doubledInts(this.#frame);
    this.#selfBytes = doubledFloats(this.#selfBytes);
    this.#selfCount &&= doubledFloats(this.#selfCount);
    this.#selfSamples &&= doubledFloats(this.#selfSamples);
  }
}
