import type { FrameTable } from '../profile/frame-table.ts';
import type { AddressHex, Count } from '../units.ts';
import type { Mappings } from './mappings.ts';

const ADDRESS = /^0x[0-9a-f]{1,16}$/i;
/** Functions that were inlined at one address stand in one line, the outermost first. Not the -- of operator--. */
const INLINED = /(?<!operator)--/;
/** jeprof puts the address of a function after the name, where it took both from nm. Not part of the name. */
const FUNCTION_ADDRESS = /<[0-9a-f]{16}>$/;
/** What writers put where they know no name. */
const NAMELESS = /^\??\?(?::.*)?$|^0x[0-9a-f]+$/i;

interface NamelessAddress {
  /** One before the return address where it is a caller's. */
  readonly address: bigint;
  readonly isCaller: boolean;
}

/**
 * Turns addresses of a dump into frames, root first. Callers stand in a dump by their return address, which may
 * already belong to the next function: one is taken off it, as jeprof does. Where no name is known, an address is
 * shown as module and offset, or as it is; never by a neighbour's name.
 */
export class AddressBook {
  readonly #names = new Map<AddressHex, string>();
  /** Ids of frames, by the name they are known by until the mappings have been read. */
  readonly #ids = new Map<string, number>([['', 0]]);
  readonly #frames: string[] = [''];
  readonly #nameless = new Map<number, NamelessAddress>();

  constructor(symbols: ReadonlyMap<AddressHex, string> = new Map()) {
    for (const [address, name] of symbols) this.#names.set(normalized(address), name);
  }

  get namelessCount(): Count {
    return this.#nameless.size;
  }

  /** Addresses that are shown as such. */
  get namelessAddresses(): Iterable<NamelessAddress> {
    return this.#nameless.values();
  }

  get frameCount(): Count {
    return this.#frames.length - 1;
  }

  /** A line of a symbol section: "0x… outer--inlined". False when it is none. */
  addSymbol(line: string): boolean {
    const blank = line.indexOf(' ');
    const address = blank < 0 ? line : line.slice(0, blank);
    if (!ADDRESS.test(address)) return false;
    this.#names.set(normalized(address), blank < 0 ? '' : line.slice(blank + 1));
    return true;
  }

  /** The ids of the frames at an address, the outermost first. */
  framesOf(returnAddress: AddressHex, place: 'leaf' | 'caller'): Int32Array {
    const isReturnAddress = place === 'caller' && returnAddress !== '0x0';
    const address = BigInt(returnAddress) - (isReturnAddress ? 1n : 0n);
    const hex = `0x${address.toString(16)}`;
    const names = namesIn(this.#names.get(hex) ?? '');
    if (names.length > 0) return Int32Array.from(names, (name) => this.#idOf(name));
    const id = this.#idOf(hex);
    this.#nameless.set(id, { address, isCaller: isReturnAddress });
    return Int32Array.of(id);
  }

  /** The id of a frame that is no address. */
  idOf(name: string): number {
    return this.#idOf(name);
  }

  #idOf(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = this.#frames.length;
    this.#ids.set(name, id);
    this.#frames.push(name);
    return id;
  }

  build(mappings: Mappings): FrameTable {
    for (const [id, { address }] of this.#nameless) {
      this.#frames[id] = mappings.locate(address) ?? (this.#frames[id] as string);
    }
    return frameTableOf(this.#frames);
  }
}

function namesIn(symbol: string): readonly string[] {
  const names = symbol.includes('--') ? symbol.split(INLINED) : [symbol];
  return names
    .map((name) => name.replace(FUNCTION_ADDRESS, ''))
    .filter((name) => name !== '' && !NAMELESS.test(name));
}

/** Keeps ids, also where two of them have the same name. */
function frameTableOf(names: readonly string[]): FrameTable {
  const encoded = names.map((name) => Buffer.from(name));
  const length = Uint32Array.from(encoded, (name) => name.length);
  let at = 0;
  const offset = length.map((bytes) => {
    at += bytes;
    return at - bytes;
  });
  return { size: names.length, bytes: new Uint8Array(Buffer.concat(encoded)), offset, length };
}

function normalized(address: AddressHex): AddressHex {
  return `0x${BigInt(address).toString(16)}`;
}
