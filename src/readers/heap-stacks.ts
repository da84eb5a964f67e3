import { type SampledPair, unsampleLine } from '../allocator/unsample.ts';
import type { CallTree } from '../profile/call-tree.ts';
import type { Bytes, Count } from '../units.ts';
import type { AddressBook } from './address-book.ts';
import { AddressStack } from './address-stack.ts';
import type { HeapLine } from './heap-line.ts';
import type { Mappings } from './mappings.ts';
import type { ReadOptions } from './read-options.ts';
import { StackTrie } from './stack-trie.ts';

/** Of dumps of real servers: addresses, totals and one thread; only saves growing. */
const USUAL_STACK_BYTES: Bytes = 240;

/** The stacks of a heap dump: puts together what the lines of one stack say. */
export class HeapStacks {
  readonly #options: ReadOptions;
  readonly #book: AddressBook;
  readonly #stack: AddressStack;
  readonly #trie: StackTrie;
  #state: 'none' | 'open' | 'complete' = 'none';
  #pair: SampledPair = { objects: 0, bytes: 0 };
  #objectLines: Count = 0;
  /** The stack in the trie is the one before the one that is read next. */
  #isInTrie = false;

  /** Mean bytes between two samples, by the dump's first line. */
  intervalBytes: Bytes = 0;
  sampleCount: Count = 0;
  objectCount: Count = 0;
  /** Stacks that were read, empty ones too. */
  stackCount: Count = 0;
  hasAccumulated = false;

  constructor(book: AddressBook, options: ReadOptions) {
    this.#options = options;
    this.#book = book;
    this.#stack = new AddressStack(book);
    this.#trie = new StackTrie((options.sizeBytes ?? 0) / USUAL_STACK_BYTES);
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Its totals were read, and the next stack has not begun. */
  get isComplete(): boolean {
    return this.#state === 'complete';
  }

  /** Begins a stack: its addresses are from `start` to `end`. False when one of them is none. */
  open(view: DataView, start: number, end: number): boolean {
    const wasInTrie = this.#isInTrie;
    this.#isInTrie = false;
    this.#state = this.#stack.read(view, start, end) ? 'open' : 'none';
    if (!wasInTrie) this.#stack.shared = 0;
    return this.#state === 'open';
  }

  /** Takes what all threads hold under the open stack. */
  takeTotals(line: HeapLine): void {
    this.hasAccumulated ||= line.accumulatedBytes > 0;
    this.#pair =
      this.#options.values === 'accumulated'
        ? { objects: line.accumulatedObjects, bytes: line.accumulatedBytes }
        : { objects: line.liveObjects, bytes: line.liveBytes };
    this.#state = 'complete';
    this.#objectLines = 0;
  }

  /** Counts a sampled object of the stack: the exact number of samples, where there are such lines. */
  takeObject(): void {
    this.#objectLines += 1;
  }

  /** Ends the stack that is open; false when its totals are missing. */
  close(): boolean {
    const isSound = this.#state !== 'open';
    if (this.#state === 'complete') this.#add(this.#pair);
    this.#state = 'none';
    return isSound;
  }

  #add(pair: SampledPair): void {
    this.stackCount += 1;
    const { objects, bytes } =
      this.#options.numbers === 'sampled' ? pair : unsampleLine(pair, this.intervalBytes);
    if (bytes === 0 && objects === 0) return;
    // Without lines of objects the dump's own count comes closest: jemalloc writes it so that it un-samples right.
    const samples = this.#objectLines || pair.objects;
    this.sampleCount += samples;
    this.objectCount += objects;
    const { path, depth, shared } = this.#stack;
    this.#trie.add(path, depth, shared, { bytes, count: objects, samples });
    this.#isInTrie = true;
  }

  build(mappings: Mappings): CallTree {
    return this.#trie.build(this.#book.build(mappings));
  }
}
