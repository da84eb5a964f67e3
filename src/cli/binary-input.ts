import { Failure } from '../failure.ts';
import type { Profile } from '../profile/profile.ts';
import type { ReadOptions } from '../readers/read-options.ts';
import { readProfile } from '../readers/read-profile.ts';
import type { UnnamedAddresses } from '../readers/unnamed-addresses.ts';
import type { Binary } from '../symbols/binary-symbols.ts';

const BUILD_ID = /^(?:0x)?(?:[0-9a-f]{2}){8,}$/i;

/** The program that is to name functions, when one was given. Throws `usage` for a build id of nothing. */
export function binaryOf(flags: {
  readonly binary?: string;
  readonly buildId?: string;
}): Binary | undefined {
  const { binary: path, buildId } = flags;
  if (buildId === undefined) return path === undefined ? undefined : { path };
  if (path !== undefined && BUILD_ID.test(buildId)) return { path, buildId };
  throw new Failure('usage', {
    what: path === undefined ? '--build-id alone names nothing' : '--build-id is no build id',
    fix: 'Give --binary with the program, and --build-id with what this answers on its server',
    paste: 'SELECT buildId()',
  });
}

/** Reads a raw dump twice: what has no name is known only then. Others have their names. */
export async function readWithBinary(
  bytes: Uint8Array,
  binary: Binary,
  options: ReadOptions,
): Promise<Profile> {
  let unnamed: UnnamedAddresses | undefined;
  const onUnnamed = (addresses: UnnamedAddresses) => {
    unnamed = addresses;
  };
  const profile = readProfile(bytes, { ...options, onUnnamed });
  if (profile.kind !== 'heap_v2' || unnamed === undefined) return profile;
  const { symbolsOfBinary } = await import('../symbols/binary-symbols.ts');
  const symbols = await symbolsOfBinary(unnamed, binary);
  return readProfile(bytes, { ...options, symbols });
}
