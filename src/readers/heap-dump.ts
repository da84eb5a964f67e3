import type { Profile } from '../profile/profile.ts';
import { stackCountOf } from '../profile/stack-count.ts';
import type { Bytes, Count } from '../units.ts';
import { AddressBook } from './address-book.ts';
import { HeapLine } from './heap-line.ts';
import { heapNotes } from './heap-notes.ts';
import { HeapStacks } from './heap-stacks.ts';
import type { LineBlock } from './line-blocks.ts';
import { Mappings } from './mappings.ts';
import { brokenProfile } from './not-a-profile.ts';
import type { ReadOptions } from './read-options.ts';
import { SkippedLines } from './skipped-lines.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const HEADER = /^heap_v2\/(\d{1,20})$/;
/** What is longer is no header. */
const LONGEST_BEGINNING: Bytes = 64;

type Section = 'symbols' | 'before the dump' | 'dump' | 'mappings' | 'after the dump';

/**
 * A heap dump of jemalloc, line by line:
 *
 *     heap_v2/R                                   R: mean bytes between two samples, 2^lg_prof_sample
 *       t*: objects: bytes [objects: bytes]       the process: live and, with prof_accum, ever allocated
 *       t1: … name                                a thread
 *     @ 0x… 0x…                                   a stack, leaf first; no address at all: it could not be unwound
 *       t*: objects: bytes [objects: bytes]       what all threads hold there: the figures that count
 *       t1: …                                     a thread's part
 *       f: age request usable class arena thread  a sampled object; only ClickHouse's jemalloc writes these
 *
 *     MAPPED_LIBRARIES:                           a copy of /proc/self/maps
 *
 * Where names were looked up, "--- symbol", "binary=…", lines of "0x… name", "---" and "--- heap" come before it.
 * Sources: jemalloc src/prof_data.c and bin/jeprof.in; ClickHouse src/Common/Jemalloc.cpp; ClickHouse/jemalloc#10.
 */
export class HeapDumpParser {
  readonly #options: ReadOptions;
  readonly #line = new HeapLine();
  readonly #book: AddressBook;
  readonly #stacks: HeapStacks;
  readonly #mappings = new Mappings();
  readonly #skipped = new SkippedLines();
  #section: Section = 'before the dump';
  #hasSymbols = false;
  #hasHeader = false;
  #hasMappings = false;
  #lineNumber: Count = 0;
  /** Where the stack began that is open. */
  #stackLineNumber: Count = 0;

  constructor(options: ReadOptions = {}) {
    this.#options = options;
    this.#book = new AddressBook(options.symbols);
    this.#stacks = new HeapStacks(this.#book, options);
  }

  block({ bytes, view, end }: LineBlock): void {
    for (let start = 0; start < end; ) {
      let newline = bytes.indexOf(NEWLINE, start);
      if (newline < 0 || newline > end) newline = end;
      this.#lineNumber += 1;
      const isCrlf = newline > start && bytes[newline - 1] === CARRIAGE_RETURN;
      const lineEnd = isCrlf ? newline - 1 : newline;
      if (this.#section === 'dump') this.#dumpLine(bytes, view, start, lineEnd);
      else this.#textLine(bytes.toString('utf8', start, lineEnd));
      start = newline + 1;
    }
  }

  /** A line outside of the dump's records: there are few, so strings will do. */
  #textLine(text: string): void {
    if (this.#section === 'after the dump') this.#lineBehind(text);
    else if (this.#section === 'mappings') this.#mappingLine(text);
    else if (text.startsWith('---')) this.#sectionLine(text);
    // Behind names as well: what parts the two may be lost.
    else if (this.#section === 'symbols' && !text.startsWith('heap_v2/')) this.#symbolLine(text);
    else this.#headerLine(text);
  }

  #mappingLine(text: string): void {
    if (isBeginning(text)) this.#lineBehind(text);
    else this.#mappings.add(text);
  }

  /** Another dump is of another time or process: the two do not add up. Names are of use only before the dump. */
  #lineBehind(text: string): void {
    this.#section = 'after the dump';
    if (text.trim() !== '') this.#skip(Buffer.from(text), 'behind the end of the first dump');
  }

  #sectionLine(text: string): void {
    const name = text.slice('---'.length).trim();
    if (name === 'symbol') this.#section = 'symbols';
    else if (name === '' || name === 'heap') this.#section = 'before the dump';
    else this.#skip(Buffer.from(text), 'not a section of a heap dump');
  }

  #symbolLine(text: string): void {
    if (this.#book.addSymbol(text)) this.#hasSymbols = true;
    else if (text !== '' && !text.startsWith('binary=')) {
      this.#skip(Buffer.from(text), 'no address with a name');
    }
  }

  #headerLine(text: string): void {
    const interval = HEADER.exec(text.trim())?.[1];
    if (interval === undefined) {
      if (text.trim() !== '')
        this.#skip(Buffer.from(text), 'not the “heap_v2/…” that a dump begins with');
      return;
    }
    this.#hasHeader = true;
    this.#stacks.intervalBytes = Number(interval);
    this.#section = 'dump';
  }

  #dumpLine(bytes: Buffer, view: DataView, start: number, end: number): void {
    const line = this.#line;
    const kind = line.kindOf(bytes, start, end);
    if (kind === 'stack') this.#stackBegins(bytes, view, line.textStart, end);
    else if (kind === 'totals' && this.#stacks.isOpen) {
      if (line.readTotals(bytes, end)) this.#stacks.takeTotals(line);
      else this.#skip(bytes.subarray(start, end), 'the totals of a stack, but cut off or damaged');
    } else if (kind === 'totals' && this.#stacks.isComplete) {
      this.#skip(bytes.subarray(start, end), 'a second “t*:” line of one stack');
    } else if (kind === 'object') this.#stacks.takeObject();
    else if (kind === 'mappings') [this.#section, this.#hasMappings] = ['mappings', true];
    else if (kind === 'unknown') this.#unknownLine(bytes.subarray(start, end));
  }

  #unknownLine(line: Buffer): void {
    const text = line.toString('latin1', 0, LONGEST_BEGINNING);
    if (isBeginning(text)) this.#lineBehind(text);
    else this.#skip(line, 'no record of a heap dump');
  }

  #stackBegins(bytes: Buffer, view: DataView, at: number, end: number): void {
    this.#closeStack();
    this.#stackLineNumber = this.#lineNumber;
    if (this.#stacks.open(view, at + 1, end)) return;
    this.#skip(bytes.subarray(at, end), 'a stack with a word that is no address');
  }

  #closeStack(): void {
    if (this.#stacks.close()) return;
    this.#skipped.add(this.#stackLineNumber, Buffer.from('@ …'), 'a stack without its “t*:” line');
  }

  #skip(line: Uint8Array, why: string): void {
    this.#skipped.add(this.#lineNumber, line, why);
  }

  finish(): Profile {
    this.#closeStack();
    if (!this.#hasHeader) {
      throw brokenProfile(
        'The line “heap_v2/…” that a dump begins with is missing',
        this.#skipped.first[0],
      );
    }
    const stacks = this.#stacks;
    if (stacks.stackCount === 0 && this.#skipped.count > 0) {
      throw brokenProfile('It has no stack that is whole', this.#skipped.first[0]);
    }
    this.#options.onUnnamed?.({
      addresses: [...this.#book.namelessAddresses].map(({ address, isCaller }) => ({
        address: `0x${address.toString(16)}`,
        place: this.#mappings.placeOf(address),
        isCaller,
      })),
      mappings: this.#mappings.all,
    });
    const tree = stacks.build(this.#mappings);
    return {
      kind: this.#hasSymbols ? 'symbolized' : 'heap_v2',
      tree,
      unit: 'bytes',
      totalBytes: tree.selfBytes.reduce((sum, bytes) => sum + bytes, 0),
      totalCount: stacks.objectCount,
      stackCount: stackCountOf(tree),
      sampleCount: stacks.sampleCount,
      samplingIntervalBytes: stacks.intervalBytes,
      unsampled: this.#options.numbers !== 'sampled',
      skippedLines: this.#skipped.count,
      firstSkipped: this.#skipped.first,
      notes: heapNotes({
        options: this.#options,
        hasAccumulated: stacks.hasAccumulated,
        hasMappings: this.#hasMappings,
        isFollowed: this.#section === 'after the dump',
        frameCount: this.#book.frameCount,
        namelessCount: this.#book.namelessCount,
      }),
    };
  }
}

/** Whether a line begins a dump, or names or numbers of one. */
function isBeginning(text: string): boolean {
  return /^--- (?:symbol|heap)$/.test(text.trim()) || HEADER.test(text.trim());
}
