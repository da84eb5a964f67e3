import type { UnnamedAddresses } from '../readers/unnamed-addresses.ts';
import type { AddressHex } from '../units.ts';
import { Program } from './program.ts';
import { requireSameBuild } from './same-build.ts';
import { namesAt } from './symbolizer.ts';

/** The program that wrote a dump, as whoever has the dump says. */
export interface Binary {
  readonly path: string;
  /** Of the server that wrote the dump, where it is known. */
  readonly buildId?: string;
}

/**
 * Names of a dump's addresses by the program that wrote it, for `ReadOptions.symbols`. Only addresses that the dump
 * places in a file of the program's name are asked for; what has no name there gets none. Throws `usage` for a
 * program of another build, `environment` where no symboliser is installed.
 */
export async function symbolsOfBinary(
  unnamed: UnnamedAddresses,
  { path, buildId }: Binary,
): Promise<ReadonlyMap<AddressHex, string>> {
  const program = new Program(path);
  if (unnamed.addresses.length === 0) return new Map();
  requireSameBuild(program, unnamed, buildId);
  const asked = unnamed.addresses.flatMap(({ address, place }) => {
    if (place === undefined || place.module !== program.module) return [];
    const linked = program.addressOf(place.fileOffset);
    return linked === undefined ? [] : [{ address, linked: `0x${linked.toString(16)}` }];
  });
  const names = await namesAt(
    program,
    asked.map(({ linked }) => linked),
  );
  return new Map(
    asked.flatMap(({ address, linked }) => {
      const name = names.get(linked);
      return name === undefined ? [] : [[address, name] as const];
    }),
  );
}
