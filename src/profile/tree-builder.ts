import type { Bytes, Count } from '../units.ts';
import type { CallTree } from './call-tree.ts';
import { FrameTableBuilder } from './frame-table-builder.ts';
import { NodeTable } from './node-table.ts';

export interface StackValue {
  readonly bytes: Bytes;
  readonly count?: Count;
  readonly samples?: Count;
}

/** Merges stacks of names into a CallTree. */
export class TreeBuilder {
  readonly frames = new FrameTableBuilder();
  #nodes = new NodeTable();

  /** Adds a stack, root first. Equal stacks add up; an empty one adds to the root. */
  add(stack: readonly string[], value: StackValue): void {
    let node = 0;
    for (const name of stack) node = this.child(node, this.frames.intern(name));
    this.addValue(node, value);
  }

  /** The child of a node with this frame, made when it is new. */
  child(parent: number, frame: number): number {
    return this.#nodes.child(parent, frame);
  }

  addValue(node: number, { bytes, count, samples }: StackValue): void {
    this.#nodes.addBytes(node, bytes);
    if (count !== undefined) this.#nodes.addCount(node, count);
    if (samples !== undefined) this.#nodes.addSamples(node, samples);
  }

  build(): CallTree {
    return this.#nodes.build(this.frames.build());
  }
}
