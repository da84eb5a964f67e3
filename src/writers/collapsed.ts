import { selfColumn } from '../profile/call-tree.ts';
import { doubledInts } from '../profile/columns.ts';
import type { FrameTable } from '../profile/frame-table.ts';
import { NO_STACK } from '../profile/no-stack.ts';
import type { Profile } from '../profile/profile.ts';
import type { Bytes, Count } from '../units.ts';
import { ByteSink } from './byte-sink.ts';
import { visitStacks } from './visit-stacks.ts';

const SPACE = 0x20;
const SEMICOLON = 0x3b;
const COLON = 0x3a;
const HASH = 0x23;

/** How much is put together before it is written. */
const PART_BYTES: Bytes = 1 << 20;

export interface CollapsedOptions {
  readonly measure?: 'bytes' | 'count';
}

/**
 * A profile as collapsed stacks, `root;…;leaf value` a line, for flamegraph.pl, inferno, speedscope and memprof.
 * Names are written byte for byte but for what would break a line apart: `;` becomes `:`, a line break or another
 * control character a blank.
 * Estimates are rounded to whole numbers, as ClickHouse writes them; other values stand as they are.
 */
export function collapsedText(profile: Profile, options: CollapsedOptions = {}): Uint8Array {
  const whole = new ByteSink();
  writeCollapsed(profile, (part) => whole.bytes(part), options);
  return whole.finish();
}

/** The same text in parts of some whole lines, each valid during its call only: spelled out, stacks take a lot of room. */
export function writeCollapsed(
  profile: Profile,
  write: (part: Uint8Array) => void,
  { measure = 'bytes' }: CollapsedOptions = {},
): void {
  const { tree, unsampled } = profile;
  const values = selfColumn(tree, measure);
  const line = new StackLine(new LineNames(tree.frames));
  const part = new ByteSink();
  visitStacks(tree, (node, path, depth) => {
    const value = unsampled ? Math.round(values[node] as number) : (values[node] as number);
    if (value === 0) return;
    part.bytes(depth === 0 ? Buffer.from(NO_STACK) : line.of(path, depth));
    part.text(` ${decimal(value)}\n`);
    if (part.length < PART_BYTES) return;
    write(part.finish());
    part.clear();
  });
  if (part.length > 0) write(part.finish());
}

/** A number without an exponent where it is whole: not every reader knows exponents. */
function decimal(value: Bytes | Count): string {
  const hasExponent = Number.isInteger(value) && !Number.isSafeInteger(value);
  return hasExponent ? String(BigInt(value)) : String(value);
}

/** The line of one stack after the other. Neighbours in a tree share most of it, and only the rest is written anew. */
class StackLine {
  readonly #names: LineNames;
  #bytes = Buffer.allocUnsafeSlow(1 << 12);
  /** The frames of the line, and where each ends with its semicolon. */
  #path = new Int32Array(1 << 8);
  #ends = new Int32Array(1 << 8);
  #depth: Count = 0;

  constructor(names: LineNames) {
    this.#names = names;
  }

  /** Names with semicolons between; valid until the next stack. The stack is not empty. */
  of(path: Int32Array, depth: Count): Uint8Array {
    const most = Math.min(depth, this.#depth);
    let at = 0;
    while (at < most && this.#path[at] === path[at]) at += 1;
    this.#depth = at;
    for (; at < depth; at += 1) this.#push(path[at] as number);
    return this.#bytes.subarray(0, this.#end() - 1);
  }

  #push(frame: number): void {
    const name = this.#names.at(frame);
    const start = this.#end();
    if (start + name.length > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes], (start + name.length) * 2);
    }
    this.#bytes.set(name, start);
    if (this.#depth === this.#path.length) {
      this.#path = doubledInts(this.#path);
      this.#ends = doubledInts(this.#ends);
    }
    this.#path[this.#depth] = frame;
    this.#ends[this.#depth] = start + name.length;
    this.#depth += 1;
  }

  #end(): number {
    return this.#depth === 0 ? 0 : (this.#ends[this.#depth - 1] as number);
  }
}

/** Names as they can stand in a line, each with the semicolon behind it, by id of the frame. */
class LineNames {
  readonly #frames: FrameTable;
  readonly #known: (Uint8Array | undefined)[];

  constructor(frames: FrameTable) {
    this.#frames = frames;
    this.#known = new Array<Uint8Array | undefined>(frames.size);
  }

  at(id: number): Uint8Array {
    this.#known[id] ??= lineName(this.#bytesOf(id));
    return this.#known[id];
  }

  #bytesOf(id: number): Uint8Array {
    const start = this.#frames.offset[id] as number;
    return this.#frames.bytes.subarray(start, start + (this.#frames.length[id] as number));
  }
}

function lineName(name: Uint8Array): Uint8Array {
  const line = new Uint8Array(name.length + 1);
  for (const [at, byte] of name.entries()) {
    if (byte === SEMICOLON) line[at] = COLON;
    // Control characters come before the blank.
    else line[at] = Math.max(byte, SPACE);
  }
  // A line that begins with # and a blank is a comment.
  if (line[0] === HASH && (name.length === 1 || line[1] === SPACE)) line[0] = COLON;
  line[name.length] = SEMICOLON;
  return line;
}
