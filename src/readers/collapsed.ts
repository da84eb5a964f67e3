import { formatCountOf } from '../format.ts';
import { doubledInts } from '../profile/columns.ts';
import type { FrameTable } from '../profile/frame-table.ts';
import { NO_STACK } from '../profile/no-stack.ts';
import type { Profile } from '../profile/profile.ts';
import { stackCountOf } from '../profile/stack-count.ts';
import type { Bytes, Count } from '../units.ts';
import { FrameInterner } from './frame-interner.ts';
import { hasHtmlEscapes } from './html-escapes.ts';
import type { LineBlock } from './line-blocks.ts';
import { notAProfile } from './not-a-profile.ts';
import type { ReadOptions } from './read-options.ts';
import { SkippedLines } from './skipped-lines.ts';
import { StackTrie } from './stack-trie.ts';
import { endWithoutBlanks, isBlank, StackValueReader } from './stack-value.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SEMICOLON = 0x3b;
const HASH = 0x23;
/** Of stacks of real servers; only saves growing. */
const USUAL_STACK_BYTES: Bytes = 1500;

/**
 * Collapsed stacks: `root;…;leaf value` a line, the value after the last blank, as jeprof --collapsed, ClickHouse and
 * the FlameGraph scripts write them. Equal stacks add up. Comments begin with # and a blank.
 */
export class CollapsedParser {
  readonly #options: ReadOptions;
  readonly #frames = new FrameInterner(SEMICOLON);
  readonly #trie: StackTrie;
  readonly #number = new StackValueReader();
  readonly #skipped = new SkippedLines();
  #lineNumber = 0;
  #soundLines = 0;
  #negativeLines = 0;
  #deepest: Count = 0;
  /** The stack added last: its frames, where each ends from the line's start, and where that is in the block. */
  #path = new Int32Array(1 << 10);
  #ends = new Int32Array(1 << 10);
  #depth = 0;
  #start = -1;
  #length = 0;

  constructor(options: ReadOptions = {}) {
    this.#options = options;
    this.#trie = new StackTrie((options.sizeBytes ?? 0) / USUAL_STACK_BYTES);
  }

  block({ bytes, view, end }: LineBlock): void {
    this.#start = -1;
    for (let start = 0; start < end; ) {
      let newline = bytes.indexOf(NEWLINE, start);
      if (newline < 0 || newline > end) newline = end;
      this.#lineNumber += 1;
      const isCrlf = newline > start && bytes[newline - 1] === CARRIAGE_RETURN;
      this.#line(
        bytes,
        view,
        start,
        endWithoutBlanks(bytes, start, isCrlf ? newline - 1 : newline),
      );
      start = newline + 1;
    }
  }

  #line(bytes: Buffer, view: DataView, start: number, end: number): void {
    if (start === end || isComment(bytes, start, end)) return;
    if (!this.#number.read(bytes, start, end)) {
      this.#skipped.add(this.#lineNumber, bytes.subarray(start, end), 'no number after the stack');
      return;
    }
    this.#soundLines += 1;
    const { value, stackEnd } = this.#number;
    if (value < 0) this.#negativeLines += 1;
    if (value !== 0) this.#stack(view, start, stackEnd, value);
  }

  #stack(view: DataView, start: number, end: number, value: number): void {
    const shared = this.#sharedFrames(view, start, end);
    let depth = shared;
    let at = shared === 0 ? start : start + (this.#ends[shared - 1] as number) + 1;
    while (at < end) {
      const before = depth === 0 ? 0 : (this.#path[depth - 1] as number);
      const frame = this.#frames.read(view, at, end, before);
      const frameEnd = this.#frames.end;
      if (frame !== 0) {
        if (depth === this.#path.length) this.#grow();
        this.#path[depth] = frame;
        this.#ends[depth] = frameEnd - start;
        depth += 1;
      }
      at = frameEnd + 1;
    }
    this.#depth = depth;
    if (depth > this.#deepest) this.#deepest = depth;
    this.#start = start;
    this.#length = end - start;
    if (depth === 0) this.#addWithoutStack(value);
    else this.#trie.add(this.#path, depth, shared, { bytes: value });
  }

  /** How many frames at the root this line has in common with the one before. */
  #sharedFrames(view: DataView, start: number, end: number): Count {
    if (this.#start < 0) return 0;
    const most = Math.min(end - start, this.#length);
    const before = this.#start;
    let equal = 0;
    while (equal + 4 <= most && view.getInt32(start + equal) === view.getInt32(before + equal)) {
      equal += 4;
    }
    while (equal < most && view.getUint8(start + equal) === view.getUint8(before + equal))
      equal += 1;
    let shared = 0;
    while (shared < this.#depth) {
      const frameEnd = this.#ends[shared] as number;
      if (frameEnd > equal) break;
      const endsHere = start + frameEnd === end || view.getUint8(start + frameEnd) === SEMICOLON;
      if (!endsHere) break;
      shared += 1;
    }
    return shared;
  }

  #addWithoutStack(value: number): void {
    this.#path[0] = this.#frames.intern(NO_STACK);
    this.#trie.add(this.#path, 1, 0, { bytes: value });
    this.#start = -1;
  }

  #grow(): void {
    this.#path = doubledInts(this.#path);
    this.#ends = doubledInts(this.#ends);
  }

  finish(): Profile {
    this.#refuseOtherTexts();
    const frames = this.#frames.build();
    const tree = this.#trie.build(frames);
    return {
      kind: 'collapsed',
      tree,
      unit: this.#options.unit ?? 'bytes',
      totalBytes: tree.selfBytes.reduce((sum, bytes) => sum + bytes, 0),
      totalCount: 0,
      stackCount: stackCountOf(tree),
      unsampled: this.#options.collapsedValues === 'unsampled',
      skippedLines: this.#skipped.count,
      firstSkipped: this.#skipped.first,
      notes: this.#notes(frames),
    };
  }

  /** Lists and tables end in numbers as well, but have lines that do not, and nothing that is a stack. */
  #refuseOtherTexts(): void {
    const [first] = this.#skipped.first;
    if (this.#soundLines < this.#skipped.count) {
      throw notAProfile('Its lines do not end in numbers, as those of collapsed stacks do', first);
    }
    if (this.#deepest < 2 && this.#skipped.count > 0) {
      throw notAProfile('None of its lines has two frames with a “;” between them', first);
    }
  }

  #notes(frames: FrameTable): readonly string[] {
    const { roundedCount } = this.#number;
    return [
      ...(roundedCount === 0
        ? []
        : [
            `${formatCountOf(roundedCount, 'number')} beyond 2^53, and all sums with such, hold to 15 digits only`,
          ]),
      ...(this.#negativeLines === 0
        ? []
        : [
            `${formatCountOf(this.#negativeLines, 'stack is', 'stacks are')} negative: this is a difference of two profiles`,
          ]),
      ...(hasHtmlEscapes(frames)
        ? [
            'Names are cut into pieces at the “;” of “&lt;” and the like: this text was escaped for a web page',
          ]
        : []),
      ...(this.#options.collapsedValues === 'sampled'
        ? [
            'This server writes raw sampled numbers: they are far below what is held, small objects most of all',
          ]
        : []),
    ];
  }
}

/** A # at the beginning of a name, as Ruby has them, is no comment. */
function isComment(bytes: Buffer, start: number, end: number): boolean {
  return bytes[start] === HASH && (end === start + 1 || isBlank(bytes[start + 1]));
}
