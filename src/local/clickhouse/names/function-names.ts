import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { AddressHex } from '../../../units.ts';
import { readElf } from './elf.ts';
import { symbolTable, unwindTable } from './function-table.ts';
import { type MappedCode, mappedCode } from './memory-map.ts';

/** Names for the addresses of a running engine. */
export interface FunctionNames {
  /**
   * A recovered name where the library itself carries evidence (`recovered-names.ts` says which), a true symbol where
   * a file has one, else module and start of the function. Never the name of a neighbour.
   */
  of(address: AddressHex): string;
}

export function createFunctionNames(pid: number): FunctionNames {
  const code = mappedCode(pid);
  const modules = new Map<string, (fileAddress: number) => string>();
  const cache = new Map<string, string>();
  const moduleOf = ({ path, name }: MappedCode) => {
    const known = modules.get(path);
    if (known !== undefined) return known;
    const made = namesOfFile(path, name);
    modules.set(path, made);
    return made;
  };
  const find = (address: AddressHex) => {
    const value = BigInt(address);
    const mapped = code.find(({ start, end }) => value >= start && value < end);
    // A return address may be the first of the next function; the call is before it.
    return mapped === undefined ? address : moduleOf(mapped)(Number(value - mapped.loadBase) - 1);
  };
  return {
    of: (address) => {
      const known = cache.get(address);
      if (known !== undefined) return known;
      const name = find(address);
      cache.set(address, name);
      return name;
    },
  };
}

function namesOfFile(path: string, name: string): (fileAddress: number) => string {
  const elf = readElf(path);
  const recovered = recoveredNames(elf.buildId);
  if (recovered !== undefined) {
    const functions = unwindTable(elf);
    return (address) => {
      const start = functions.startOf(address);
      if (start === undefined) return `${name}+0x${address.toString(16)}`;
      return recovered.get(start) ?? `${name}!sub_${start.toString(16)}`;
    };
  }
  const symbols = symbolTable(elf);
  return (address) => symbols.nameAt(address) ?? `${name}+0x${address.toString(16)}`;
}

/** Start of a function to its recovered name, for a build that the repo has names of. */
function recoveredNames(buildId: string): ReadonlyMap<number, string> | undefined {
  try {
    const file = new URL(import.meta.resolve(`#engine-names/${buildId}.tsv.br`));
    const text = brotliDecompressSync(readFileSync(file)).toString('utf8');
    return new Map(
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const tab = line.indexOf('\t');
          return [Number.parseInt(line.slice(0, tab), 16), line.slice(tab + 1)];
        }),
    );
  } catch {
    return undefined;
  }
}
