import type { Bytes, Count } from '../units.ts';
import type { CallTree } from './call-tree.ts';
import { FrameTableBuilder } from './frame-table-builder.ts';

export interface StackValue {
  readonly bytes: Bytes;
  readonly count?: Count;
  readonly samples?: Count;
}

/** Merges stacks into a CallTree; the only writer of one. */
export class TreeBuilder {
  readonly frames = new FrameTableBuilder();
  #parent: number[] = [0];
  #frame: number[] = [0];
  #bytes: number[] = [0];
  #count: number[] = [0];
  #samples: number[] = [0];
  #children = new Map<string, number>();
  #hasCount = false;
  #hasSamples = false;

  /** Adds a stack, root first. Equal stacks add up; an empty one adds to the root. */
  add(stack: readonly string[], value: StackValue): void {
    let node = 0;
    for (const name of stack) node = this.child(node, this.frames.intern(name));
    this.addValue(node, value);
  }

  /** The child of a node with this frame, made when it is new. */
  child(parent: number, frame: number): number {
    const key = `${parent}:${frame}`;
    const known = this.#children.get(key);
    if (known !== undefined) return known;
    const node = this.#parent.length;
    this.#children.set(key, node);
    this.#parent.push(parent);
    this.#frame.push(frame);
    this.#bytes.push(0);
    this.#count.push(0);
    this.#samples.push(0);
    return node;
  }

  addValue(node: number, { bytes, count, samples }: StackValue): void {
    this.#bytes[node] = (this.#bytes[node] as number) + bytes;
    if (count !== undefined) {
      this.#hasCount = true;
      this.#count[node] = (this.#count[node] as number) + count;
    }
    if (samples !== undefined) {
      this.#hasSamples = true;
      this.#samples[node] = (this.#samples[node] as number) + samples;
    }
  }

  build(): CallTree {
    return {
      nodeCount: this.#parent.length,
      parent: Int32Array.from(this.#parent),
      frame: Int32Array.from(this.#frame),
      selfBytes: Float64Array.from(this.#bytes),
      ...(this.#hasCount ? { selfCount: Float64Array.from(this.#count) } : {}),
      ...(this.#hasSamples ? { selfSamples: Float64Array.from(this.#samples) } : {}),
      frames: this.frames.build(),
    };
  }
}
