import { selfColumn } from '../profile/call-tree.ts';
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

/**
 * A profile as collapsed stacks, `root;…;leaf value` a line, for flamegraph.pl, inferno, speedscope and memprof.
 * Names are written byte for byte but for what would break a line apart: `;` becomes `:`, a line break or another
 * control character a blank.
 * Estimates are rounded to whole numbers, as ClickHouse writes them; other values stand as they are.
 */
export function collapsedText(
  profile: Profile,
  { measure = 'bytes' }: { readonly measure?: 'bytes' | 'count' } = {},
): Uint8Array {
  const { tree, unsampled } = profile;
  const values = selfColumn(tree, measure);
  const names = new LineNames(tree.frames);
  const sink = new ByteSink();
  visitStacks(tree, (node, path, depth) => {
    const value = unsampled ? Math.round(values[node] as number) : (values[node] as number);
    if (value === 0) return;
    if (depth === 0) sink.text(`${NO_STACK};`);
    for (let at = 0; at < depth; at += 1) sink.bytes(names.at(path[at] as number));
    // A blank in place of the last semicolon.
    sink.takeBack(1);
    sink.text(` ${decimal(value)}\n`);
  });
  return sink.finish();
}

/** A number without an exponent where it is whole: not every reader knows exponents. */
function decimal(value: Bytes | Count): string {
  return Number.isInteger(value) ? String(BigInt(value)) : String(value);
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
