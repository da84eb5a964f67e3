import { doubledInts } from '../profile/columns.ts';
import { NO_STACK } from '../profile/no-stack.ts';
import type { Count } from '../units.ts';
import type { AddressBook } from './address-book.ts';
import { AddressTable } from './address-table.ts';

const SPACE = 0x20;

/** Reads stacks of addresses, leaf first, and gives them as frame ids, root first. */
export class AddressStack {
  readonly #book: AddressBook;
  readonly #addresses = new AddressTable();
  readonly #leaves = new FramesById();
  readonly #callers = new FramesById();
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
    if (length < 0) return false;
    [this.#previous, this.path] = [this.path, this.#previous];
    this.#previousDepth = this.depth;
    this.depth = 0;
    for (let at = length - 1; at > 0; at -= 1) {
      this.#pushFrames(this.#ids[at] as number, this.#callers, 'caller');
    }
    if (length > 0) this.#pushFrames(this.#ids[0] as number, this.#leaves, 'leaf');
    if (this.depth === 0) this.#push(this.#book.idOf(NO_STACK));
    this.#countShared();
    return true;
  }

  /** How many addresses there are; -1 when one of the words is none. */
  #readIds(view: DataView, start: number, end: number): number {
    let length = 0;
    for (let at = start; at < end; ) {
      if (view.getUint8(at) === SPACE) {
        at += 1;
        continue;
      }
      const id = this.#addresses.read(view, at, end);
      at = this.#addresses.end;
      if (id === 0 || (at < end && view.getUint8(at) !== SPACE)) return -1;
      if (length === this.#ids.length) this.#ids = doubledInts(this.#ids);
      this.#ids[length] = id;
      length += 1;
    }
    return length;
  }

  #pushFrames(id: number, known: FramesById, place: 'leaf' | 'caller'): void {
    const single = known.singleOf(id);
    if (single > 0) {
      this.#push(single);
      return;
    }
    let frames = known.listOf(id);
    if (frames === undefined) {
      frames = this.#book.framesOf(this.#addresses.addressOf(id), place);
      known.set(id, frames);
    }
    for (const frame of frames) this.#push(frame);
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

/** Frames of addresses by the address's id. Most addresses have one frame, and that one is found without a list. */
class FramesById {
  #single = new Int32Array(1 << 10);
  readonly #lists = new Map<number, Int32Array>();

  /** 0 when there is none or more than one. */
  singleOf(id: number): number {
    return this.#single[id] ?? 0;
  }

  listOf(id: number): Int32Array | undefined {
    return this.#lists.get(id);
  }

  set(id: number, frames: Int32Array): void {
    while (id >= this.#single.length) this.#single = doubledInts(this.#single);
    if (frames.length === 1) this.#single[id] = frames[0] as number;
    else this.#lists.set(id, frames);
  }
}
