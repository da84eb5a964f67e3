import { basename } from 'node:path';
import type { UnnamedAddress } from '../readers/heap-dump.ts';
import type { AddressHex } from '../units.ts';
import { LoadSegments } from './load-segments.ts';
import { namesAt } from './symbolizer.ts';

/**
 * Names of a dump's addresses by the program that wrote it, for `ReadOptions.symbols`. Only addresses that the dump
 * places in a file of the program's name are asked for; what has no name there gets none.
 */
export async function symbolsOfBinary(
  unnamed: readonly UnnamedAddress[],
  binary: string,
): Promise<ReadonlyMap<AddressHex, string>> {
  const segments = new LoadSegments(binary);
  const asked = unnamed.flatMap(({ address, place }) => {
    if (place === undefined || place.module !== basename(binary)) return [];
    const linked = segments.addressOf(place.fileOffset);
    return linked === undefined ? [] : [{ address, linked: `0x${linked.toString(16)}` }];
  });
  const names = await namesAt(
    binary,
    asked.map(({ linked }) => linked),
  );
  return new Map(
    asked.flatMap(({ address, linked }) => {
      const name = names.get(linked);
      return name === undefined ? [] : [[address, name] as const];
    }),
  );
}
