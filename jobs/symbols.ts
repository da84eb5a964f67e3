import { symbolsOfAddresses, symbolsOfHeapProfile } from '../templates/sql/symbols.ts';
import type { Ask } from './ask.ts';

/** Addresses in one question: they travel in its URL, of which proxies take 8 KiB. */
const BATCH = 300;

/** Without inlined frames: with them a server works for seconds on it. */
const SYMBOLIZED = {
  settings: {
    jemalloc_profile_text_output_format: 'symbolized',
    jemalloc_profile_text_symbolize_with_inline: 0,
  },
};

export interface Symbols {
  /** The name of an address, or the address itself, in hex, when nobody knows it. */
  nameOf(address: string): string;
  readonly source: 'addressToSymbol' | 'heap profile' | 'none';
}

/**
 * Names of addresses (decimal). The server's symbol table first; where it may not be asked or knows none of them,
 * the symbolized heap profile, which needs no privilege but SELECT.
 */
export async function readSymbols(addresses: ReadonlySet<string>, ask: Ask): Promise<Symbols> {
  const names = new Map<string, string>();
  const wanted = [...addresses];
  for (let start = 0; start < wanted.length; start += BATCH) {
    const batch = wanted.slice(start, start + BATCH);
    const rows = await ask(
      'names of functions',
      symbolsOfAddresses,
      { addresses: batch },
      { settings: { allow_introspection_functions: 1 } },
    );
    if (rows === undefined) break;
    for (const { address, name } of rows) if (name !== '') names.set(address, name);
  }
  if (names.size * 2 >= wanted.length) return toSymbols(names, 'addressToSymbol');
  const rows = await ask('names in the heap profile', symbolsOfHeapProfile, {}, SYMBOLIZED);
  const before = names.size;
  for (const { address, name } of rows ?? []) {
    if (addresses.has(address) && name !== '' && name !== '??') names.set(address, name);
  }
  if (names.size > before) return toSymbols(names, 'heap profile');
  return toSymbols(names, before > 0 ? 'addressToSymbol' : 'none');
}

function toSymbols(names: ReadonlyMap<string, string>, source: Symbols['source']): Symbols {
  return { source, nameOf: (address) => names.get(address) ?? hex(address) };
}

function hex(address: string): string {
  return `0x${BigInt(address).toString(16)}`;
}
