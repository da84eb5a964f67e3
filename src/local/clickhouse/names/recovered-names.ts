import { type ElfFile, type ElfSection, textAt } from './elf.ts';
import { unwindTable } from './function-table.ts';

/**
 * Names that a stripped C++ library still tells, by start of function:
 * - a virtual function is named after the class whose table holds it: run-time type information has the mangled class
 *   name, the table behind it the functions (Itanium C++ ABI, 2.5 and 2.9). Its slot is known, its own name is not;
 * - a function that uses the string of __PRETTY_FUNCTION__ is named by it. The string can be that of a function that was
 *   inlined into it;
 * - a function that uses a string of its source file is named by the file;
 * - the functions from the first to the last that uses a message of jemalloc's ("<jemalloc>: …") are jemalloc's: a linker
 *   keeps the objects of one archive together. Their own names are not known.
 * Nothing is guessed: a function without such evidence has no name.
 */
export interface RecoveredNames {
  /** Mangled class and slot; several when identical code was folded into one function. */
  readonly virtuals: ReadonlyMap<number, readonly VirtualSlot[]>;
  readonly signatures: ReadonlyMap<number, readonly string[]>;
  readonly sources: ReadonlyMap<number, readonly string[]>;
  /** Starts of jemalloc's functions. */
  readonly allocator: readonly number[];
}

export interface VirtualSlot {
  readonly mangledClass: string;
  readonly slot: number;
}

const R_X86_64_RELATIVE = 8;
const RELOCATION_BYTES = 24;
const POINTER_BYTES = 8;

export function recoverNames(elf: ElfFile): RecoveredNames {
  return { virtuals: virtualFunctions(elf), ...stringEvidence(elf) };
}

/** Pointers in the data of the file: where they stand and what they point to, in the order of where. */
function pointers(elf: ElfFile): { readonly at: Float64Array; readonly to: Float64Array } {
  const bytes = elf.read('.rela.dyn') ?? Buffer.alloc(0);
  const found: [number, number][] = [];
  for (let offset = 0; offset + RELOCATION_BYTES <= bytes.length; offset += RELOCATION_BYTES) {
    if (bytes.readUInt32LE(offset + 8) !== R_X86_64_RELATIVE) continue;
    found.push([Number(bytes.readBigUInt64LE(offset)), Number(bytes.readBigUInt64LE(offset + 16))]);
  }
  found.sort(([a], [b]) => a - b);
  return {
    at: Float64Array.from(found, ([at]) => at),
    to: Float64Array.from(found, ([, to]) => to),
  };
}

const MANGLED_CLASS = /^(?:N[0-9KLSt].*E|[0-9]+[A-Za-z_].*|St[0-9].*)$/;

function virtualFunctions(elf: ElfFile): Map<number, VirtualSlot[]> {
  const rodata = sectionOf(elf, '.rodata');
  const text = sectionOf(elf, '.text');
  const strings = elf.read('.rodata') ?? Buffer.alloc(0);
  const { at, to } = pointers(elf);
  const classes = new Map<number, string>();
  for (let index = 0; index < at.length; index += 1) {
    const target = to[index] as number;
    if (!isIn(rodata, target)) continue;
    const name = textAt(strings, target - rodata.address);
    // Type information: a pointer to its own table, then one to the name.
    if (name.length > 2 && !/[ /]/.test(name) && MANGLED_CLASS.test(name)) {
      classes.set((at[index] as number) - POINTER_BYTES, name);
    }
  }
  const virtuals = new Map<number, VirtualSlot[]>();
  for (let index = 0; index < at.length; index += 1) {
    const mangledClass = classes.get(to[index] as number);
    if (mangledClass === undefined) continue;
    const base = at[index] as number;
    for (let slot = 0; ; slot += 1) {
      const next = index + 1 + slot;
      if (at[next] !== base + POINTER_BYTES * (slot + 1) || !isIn(text, to[next] as number)) break;
      pushTo(virtuals, to[next] as number, { mangledClass, slot });
    }
  }
  return virtuals;
}

const SIGNATURE = /^[A-Za-z_].*[A-Za-z0-9_>~=)]\(.*\)(?: const)?(?: \[.*\])?$/;
const SOURCE =
  /^(?:Failed to write a log message: )?(?:\.\/)?((?:src|programs|base|contrib)\/[\w/.-]+\.(?:cpp|cc|c|h))(?::\d+)?(?:; )?$/;

function stringEvidence(elf: ElfFile): Omit<RecoveredNames, 'virtuals'> {
  const rodata = sectionOf(elf, '.rodata');
  const strings = elf.read('.rodata') ?? Buffer.alloc(0);
  const functions = unwindTable(elf);
  const signatures = new Map<number, string[]>();
  const sources = new Map<number, string[]>();
  const allocatorMessages: number[] = [];
  const known = new Map<number, Evidence | undefined>();
  for (const { from, to } of loadedAddresses(elf)) {
    if (!isIn(rodata, to)) continue;
    if (!known.has(to)) known.set(to, stringOf(strings, to - rodata.address));
    const evidence = known.get(to);
    const start = evidence && functions.startOf(from);
    if (evidence === undefined || start === undefined) continue;
    if (evidence.kind === 'allocator') allocatorMessages.push(start);
    else addOnce(evidence.kind === 'signature' ? signatures : sources, start, evidence.text);
  }
  const first = Math.min(...allocatorMessages);
  const last = Math.max(...allocatorMessages);
  const allocator = [...functions.starts].filter((start) => start >= first && start <= last);
  return { signatures, sources, allocator };
}

/** Each `lea reg, [rip + d]` of the code: 48 or 4c (REX.W), 8d, then mod 0 and rm 5 with four bytes of d. */
function* loadedAddresses(elf: ElfFile): Iterable<{ readonly from: number; readonly to: number }> {
  const text = sectionOf(elf, '.text');
  const code = elf.read('.text') ?? Buffer.alloc(0);
  for (let at = 0; at + 7 <= code.length; at += 1) {
    if (code[at + 1] !== 0x8d || ((code[at] as number) & 0xfb) !== 0x48) continue;
    if (((code[at + 2] as number) & 0xc7) !== 0x05) continue;
    const from = text.address + at;
    yield { from, to: from + 7 + code.readInt32LE(at + 3) };
  }
}

function addOnce(map: Map<number, string[]>, key: number, text: string): void {
  if (!map.get(key)?.includes(text)) pushTo(map, key, text);
}

interface Evidence {
  readonly kind: 'signature' | 'source' | 'allocator';
  readonly text: string;
}

function stringOf(strings: Buffer, offset: number): Evidence | undefined {
  if (strings[offset - 1] !== 0) return undefined;
  const first = strings[offset] ?? 0;
  if (first === 60 && textAt(strings, offset).startsWith('<jemalloc>: ')) {
    return { kind: 'allocator', text: '' };
  }
  if ((first < 65 || first > 122) && first !== 46) return undefined;
  const text = textAt(strings, offset);
  if (text.length < 8 || text.length > 1500) return undefined;
  if (text.includes('::') && SIGNATURE.test(text) && !/%|\{\}/.test(text)) {
    return { kind: 'signature', text };
  }
  const source = SOURCE.exec(text)?.[1];
  return source === undefined ? undefined : { kind: 'source', text: source };
}

function sectionOf(elf: ElfFile, name: string): ElfSection {
  const section = elf.sections.find((candidate) => candidate.name === name);
  if (section === undefined) throw new Error(`${elf.path} has no ${name}`);
  return section;
}

function isIn(section: ElfSection, address: number): boolean {
  return address >= section.address && address < section.address + section.sizeBytes;
}

function pushTo<Value>(map: Map<number, Value[]>, key: number, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
