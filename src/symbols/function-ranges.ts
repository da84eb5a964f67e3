/** A table of symbols as it lies in the file. */
export type SymbolTable = Buffer;

/** An entry: name (4 bytes), type and binding (1), visibility (1), section (2), address (8), size (8). */
const ENTRY_BYTES = 24;
const TYPE_MASK = 0xf;
const STT_FUNC = 2;
const STT_GNU_IFUNC = 10;
const SHN_UNDEF = 0;

/**
 * Where functions are by a program's symbols. GNU addr2line names what lies behind a function after it, however far
 * behind, where the function that is really there has no symbol; here it is seen that it ended before.
 * Source: System V ABI, chapter 4, "Symbol Table".
 */
export class FunctionRanges {
  readonly #starts: Float64Array;
  /** The furthest end of this function and all before it. */
  readonly #reach: Float64Array;

  constructor(tables: readonly SymbolTable[]) {
    const functions = tables.flatMap(functionsIn).sort((a, b) => a.start - b.start);
    this.#starts = Float64Array.from(functions, ({ start }) => start);
    let furthest = 0;
    this.#reach = Float64Array.from(functions, ({ end }) => {
      furthest = Math.max(furthest, end);
      return furthest;
    });
  }

  covers(address: number): boolean {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] as number) <= address) low = middle + 1;
      else high = middle;
    }
    return low > 0 && (this.#reach[low - 1] as number) > address;
  }
}

interface FunctionRange {
  readonly start: number;
  readonly end: number;
}

function functionsIn(table: SymbolTable): readonly FunctionRange[] {
  const functions: FunctionRange[] = [];
  for (let at = 0; at + ENTRY_BYTES <= table.length; at += ENTRY_BYTES) {
    const type = table.readUInt8(at + 4) & TYPE_MASK;
    const isFunction = type === STT_FUNC || type === STT_GNU_IFUNC;
    if (!isFunction || table.readUInt16LE(at + 6) === SHN_UNDEF) continue;
    const start = Number(table.readBigUInt64LE(at + 8));
    functions.push({ start, end: start + Number(table.readBigUInt64LE(at + 16)) });
  }
  return functions;
}
