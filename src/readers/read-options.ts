import type { AddressHex, Bytes } from '../units.ts';
import type { UnnamedAddresses } from './unnamed-addresses.ts';

/** What a reader is told beside the bytes. */
export interface ReadOptions {
  /** How long the input is; only saves growing. */
  readonly sizeBytes?: Bytes;
  /** Of a heap dump: what is still held, or what was ever asked for (dumps with prof_accum). Live unless said. */
  readonly values?: 'live' | 'accumulated';
  /** Of a heap dump: estimates as jeprof makes them, or the numbers as they stand. Estimates unless said. */
  readonly numbers?: 'unsampled' | 'sampled';
  /** What collapsed stacks count; their text does not tell. Bytes unless said. */
  readonly unit?: 'bytes' | 'count';
  /** Whether the server that wrote collapsed stacks un-samples them; their text does not tell. */
  readonly collapsedValues?: 'unsampled' | 'sampled';
  /** Names of addresses, where somebody knows them: a live server, a binary. */
  readonly symbols?: ReadonlyMap<AddressHex, string>;
  /** Of a heap dump: told which addresses have no name, so that somebody can be asked for them. */
  readonly onUnnamed?: (unnamed: UnnamedAddresses) => void;
}
