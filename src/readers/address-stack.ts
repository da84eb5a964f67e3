import { doubledInts } from '../profile/columns.ts';
import type { Count } from '../units.ts';
import type { AddressBook } from './address-book.ts';
import { FrameInterner } from './frame-interner.ts';

const SPACE = 0x20;
/** The frame of what has no stack at all. */
export const NO_STACK = '[no stack]';

/** Reads stacks of addresses, leaf first, and gives them as frame ids, root first. */
export class AddressStack {
  readonly #book: AddressBook;
  readonly #addresses = new FrameInterner(SPACE);
  /** Frames of an address by its id, as a leaf and as a caller; filled when it is met. */
  readonly #asLeaf: (Int32Array | undefined)[] = [];
  readonly #asCaller: (Int32Array | undefined)[] = [];
  #ids = new Int32Array(1 << 8);
  #previous = new Int32Array(1 << 8);
  #previousDepth = 0;

  /** Frame ids of the stack that was read last. */
  path = new Int32Array(1 << 8);
  depth: Count = 0;
  /** How many of its first frames are those of the stack read before it. */
  shared: Count = 0;

  constructor(book: AddressBook) {
    this.#book = book;
  }

  /** False when one of the words is no address. */
  read(view: DataView, start: number, end: number): boolean {
    const length = this.#readIds(view, start, end);
    [this.#previous, this.path] = [this.path, this.#previous];
    this.#previousDepth = this.depth;
    this.depth = 0;
    for (let at = length - 1; at >= 0; at -= 1) {
      const frames = this.#framesOf(this.#ids[at] as number, at === 0 ? 'leaf' : 'caller');
      if (frames === undefined) {
        this.depth = 0;
        return false;
      }
      for (const frame of frames) this.#push(frame);
    }
    if (this.depth === 0) this.#push(this.#book.idOf(NO_STACK));
    this.#countShared();
    return true;
  }

  #readIds(view: DataView, start: number, end: number): Count {
    let length = 0;
    let before = 0;
    for (let at = start; at < end; at = this.#addresses.end + 1) {
      const id = this.#addresses.read(view, at, end, before);
      if (id === 0) continue;
      if (length === this.#ids.length) this.#ids = doubledInts(this.#ids);
      this.#ids[length] = id;
      length += 1;
      before = id;
    }
    return length;
  }

  #framesOf(id: number, place: 'leaf' | 'caller'): Int32Array | undefined {
    const known = place === 'leaf' ? this.#asLeaf : this.#asCaller;
    known[id] ??= this.#book.framesOf(this.#addresses.nameOf(id), place);
    return known[id];
  }

  #push(frame: number): void {
    if (this.depth === this.path.length) this.path = doubledInts(this.path);
    this.path[this.depth] = frame;
    this.depth += 1;
  }

  #countShared(): void {
    const most = Math.min(this.depth, this.#previousDepth);
    let shared = 0;
    while (shared < most && this.path[shared] === this.#previous[shared]) shared += 1;
    this.shared = shared;
  }
}
