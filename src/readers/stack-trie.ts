import type { CallTree } from '../profile/call-tree.ts';
import { ChildIndex } from '../profile/child-index.ts';
import { doubledFloats, doubledInts } from '../profile/columns.ts';
import type { FrameTable } from '../profile/frame-table.ts';
import type { StackValue } from '../profile/tree-builder.ts';
import type { Count } from '../units.ts';
import { spellOut } from './spell-out.ts';

/**
 * Merges stacks by prefix as a radix tree: a node stands for a run of frames without a branch, its label, so that a
 * new stack costs one or two nodes however deep it is.
 *
 *     main;a;b;c 1       main;a ─┬─ b;c 1
 *     main;a;d   2               └─ d   2
 */
export class StackTrie {
  #nodeCount = 1;
  #parent: Int32Array;
  #labelStart: Int32Array;
  #labelLength: Int32Array;
  #selfBytes: Float64Array;
  #selfCount: Float64Array | undefined;
  #selfSamples: Float64Array | undefined;
  #labels: Int32Array;
  #labelsUsed = 0;
  #index: ChildIndex;
  /** The nodes that the last stack passed and the depths at which they end; the root is always the first. */
  #trailNode = new Int32Array(1 << 8);
  #trailDepth = new Int32Array(1 << 8);
  #trailLength = 1;

  constructor(expectedStacks: Count = 512) {
    const capacity = Math.max(1 << 10, expectedStacks * 2);
    this.#parent = new Int32Array(capacity);
    this.#labelStart = new Int32Array(capacity);
    this.#labelLength = new Int32Array(capacity);
    this.#selfBytes = new Float64Array(capacity);
    this.#labels = new Int32Array(capacity * 4);
    this.#index = new ChildIndex(capacity);
  }

  /**
   * Adds what ends in a stack of frame ids, root first. The first `shared` frames are those of the stack added
   * before; more may be.
   */
  add(path: Int32Array, length: Count, shared: Count, { bytes, count, samples }: StackValue): void {
    const node = this.#nodeOf(path, length, shared);
    this.#selfBytes[node] = (this.#selfBytes[node] as number) + bytes;
    if (count !== undefined) {
      this.#selfCount ??= new Float64Array(this.#parent.length);
      this.#selfCount[node] = (this.#selfCount[node] as number) + count;
    }
    if (samples !== undefined) {
      this.#selfSamples ??= new Float64Array(this.#parent.length);
      this.#selfSamples[node] = (this.#selfSamples[node] as number) + samples;
    }
  }

  /** The stacks as a tree of single frames, depth first. Nothing may be added afterwards. */
  build(frames: FrameTable): CallTree {
    return spellOut(
      {
        nodeCount: this.#nodeCount,
        parent: this.#parent,
        labelStart: this.#labelStart,
        labelLength: this.#labelLength,
        labels: this.#labels,
        selfBytes: this.#selfBytes,
        selfCount: this.#selfCount,
        selfSamples: this.#selfSamples,
      },
      frames,
    );
  }

  #nodeOf(path: Int32Array, length: Count, shared: Count): number {
    let trail = this.#trailLength;
    while ((this.#trailDepth[trail - 1] as number) > shared) trail -= 1;
    this.#trailLength = trail;
    let node = this.#trailNode[trail - 1] as number;
    let depth = this.#trailDepth[trail - 1] as number;
    while (depth < length) {
      const child = this.#index.find(node, path[depth] as number);
      if (child === 0) {
        node = this.#addRest(node, path, depth, length);
        depth = length;
      } else {
        const matched = this.#matchLabel(child, path, depth, length);
        depth += matched;
        node = matched < (this.#labelLength[child] as number) ? this.#split(child, matched) : child;
      }
      this.#pushTrail(node, depth);
    }
    return node;
  }

  #matchLabel(node: number, path: Int32Array, depth: number, length: number): number {
    const labels = this.#labels;
    const start = this.#labelStart[node] as number;
    const most = Math.min(this.#labelLength[node] as number, length - depth);
    // The first frame is what the node was found by.
    let matched = 1;
    while (matched < most && labels[start + matched] === path[depth + matched]) matched += 1;
    return matched;
  }

  /** A new node for all that is left of a path. */
  #addRest(parent: number, path: Int32Array, depth: number, length: number): number {
    const start = this.#labelsUsed;
    const labelLength = length - depth;
    while (start + labelLength > this.#labels.length) this.#labels = doubledInts(this.#labels);
    const labels = this.#labels;
    for (let at = 0; at < labelLength; at += 1) labels[start + at] = path[depth + at] as number;
    this.#labelsUsed = start + labelLength;
    return this.#addNode(parent, start, labelLength);
  }

  /** Parts a node after the first frames of its label; gives the upper part. */
  #split(node: number, labelLength: number): number {
    const start = this.#labelStart[node] as number;
    const upper = this.#addNode(this.#parent[node] as number, start, labelLength);
    this.#parent[node] = upper;
    this.#labelStart[node] = start + labelLength;
    this.#labelLength[node] = (this.#labelLength[node] as number) - labelLength;
    this.#index.set(upper, this.#labels[start + labelLength] as number, node);
    return upper;
  }

  #addNode(parent: number, labelStart: number, labelLength: number): number {
    if (this.#nodeCount === this.#parent.length) this.#grow();
    const node = this.#nodeCount;
    this.#nodeCount += 1;
    this.#parent[node] = parent;
    this.#labelStart[node] = labelStart;
    this.#labelLength[node] = labelLength;
    this.#index.set(parent, this.#labels[labelStart] as number, node);
    return node;
  }

  #pushTrail(node: number, depth: number): void {
    const at = this.#trailLength;
    if (at === this.#trailNode.length) {
      this.#trailNode = doubledInts(this.#trailNode);
      this.#trailDepth = doubledInts(this.#trailDepth);
    }
    this.#trailNode[at] = node;
    this.#trailDepth[at] = depth;
    this.#trailLength = at + 1;
  }

  #grow(): void {
    this.#parent = doubledInts(this.#parent);
    this.#labelStart = doubledInts(this.#labelStart);
    this.#labelLength = doubledInts(this.#labelLength);
    this.#selfBytes = doubledFloats(this.#selfBytes);
    this.#selfCount &&= doubledFloats(this.#selfCount);
    this.#selfSamples &&= doubledFloats(this.#selfSamples);
  }
}
