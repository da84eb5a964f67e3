import { type ElfFile, textAt } from './elf.ts';

/** Functions of a file in the order of their addresses. */
export interface FunctionTable {
  /** Start of the function that holds the address, or undefined when it lies before the first. */
  startOf(address: number): number | undefined;
  readonly starts: Float64Array;
}

function tableOf(starts: Float64Array): FunctionTable {
  return {
    starts,
    startOf: (address) => {
      let low = 0;
      let high = starts.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((starts[middle] as number) <= address) low = middle + 1;
        else high = middle;
      }
      return low === 0 ? undefined : starts[low - 1];
    },
  };
}

/**
 * Where functions begin, from the sorted search table of .eh_frame_hdr, which a stripped file still has.
 * Layout: version, three encodings, pointer, count (u32), then pairs of i32 relative to the section.
 * Source: Linux Standard Base, Exception Frames. Only the encodings that compilers write (0x1b 0x03 0x3b).
 */
export function unwindTable(elf: ElfFile): FunctionTable {
  const section = elf.sections.find(({ name }) => name === '.eh_frame_hdr');
  const bytes = elf.read('.eh_frame_hdr');
  if (section === undefined || bytes === undefined || bytes.readUInt32LE(0) !== 0x3b031b01) {
    return tableOf(new Float64Array(0));
  }
  const count = bytes.readUInt32LE(8);
  const starts = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    starts[index] = section.address + bytes.readInt32LE(12 + index * 8);
  }
  return tableOf(starts);
}

const STT_FUNC = 2;
const SYMBOL_BYTES = 24;

/** True symbols of a file. */
export interface SymbolTable {
  /** Name of the function that holds the address by its start and size; never a neighbour's. */
  nameAt(address: number): string | undefined;
}

/** Symbols of .symtab, else of .dynsym. Layout of an entry: name (u32), info, other, section, value, size (elf(5)). */
export function symbolTable(elf: ElfFile): SymbolTable {
  const table =
    elf.sections.find(({ name }) => name === '.symtab') ??
    elf.sections.find(({ name }) => name === '.dynsym');
  const bytes = table && elf.read(table.name);
  const stringsName = table && elf.sections[table.link]?.name;
  const strings = stringsName === undefined ? undefined : elf.read(stringsName);
  const symbols = new Map<number, { readonly name: number; readonly end: number }>();
  for (let at = 0; bytes !== undefined && at + SYMBOL_BYTES <= bytes.length; at += SYMBOL_BYTES) {
    const start = Number(bytes.readBigUInt64LE(at + 8));
    if (((bytes[at + 4] as number) & 0xf) === STT_FUNC && start > 0) {
      const end = start + Number(bytes.readBigUInt64LE(at + 16));
      symbols.set(start, { name: bytes.readUInt32LE(at), end });
    }
  }
  const inOrder = tableOf(Float64Array.from(symbols.keys()).sort());
  return {
    nameAt: (address) => {
      const symbol = symbols.get(inOrder.startOf(address) ?? 0);
      if (symbol === undefined || strings === undefined || address >= symbol.end) return undefined;
      return textAt(strings, symbol.name);
    },
  };
}
