import type { AddressHex } from '../units.ts';
import type { FilePlace, Mapping } from './mappings.ts';

/** An address that nobody named yet. */
export interface UnnamedAddress {
  /** As `ReadOptions.symbols` wants it. */
  readonly address: AddressHex;
  /** Undefined where it lies in no file. */
  readonly place: FilePlace | undefined;
  /** It is one before a return address, which is why a call must end right behind it. */
  readonly isCaller: boolean;
}

/** What a symboliser is asked for, and what tells whether it may answer. */
export interface UnnamedAddresses {
  readonly addresses: readonly UnnamedAddress[];
  /** What the process had mapped to run it. */
  readonly mappings: readonly Mapping[];
}
