/** A piece of a file that a process has in its address space, to run it. */
export interface Mapping {
  readonly start: bigint;
  readonly end: bigint;
  /** Where in the file the piece begins. */
  readonly fileOffset: bigint;
  /** The file's name without folders. */
  readonly module: string;
}

/** A place in a file. */
export interface FilePlace {
  /** The file's name without folders. */
  readonly module: string;
  readonly fileOffset: bigint;
}

/** /proc/<pid>/maps: "start-end rwxp offset device inode   path"; paths may have blanks. */
const LINUX = /^([0-9a-f]+)-([0-9a-f]+) ..(.). ([0-9a-f]+) \S+ \S+\s+(\S.*)$/i;
/** As jemalloc writes them on macOS: "start-end: path". */
const MACOS = /^([0-9a-f]+)-([0-9a-f]+): (\S.*)$/i;

/**
 * Which file an address lies in. Only executable mappings count: a server may map its own binary a second time to
 * read its symbols, and that copy holds no code.
 */
export class Mappings {
  readonly #mappings: Mapping[] = [];

  get all(): readonly Mapping[] {
    return this.#mappings;
  }

  add(line: string): void {
    const mapping = linuxMapping(line) ?? macosMapping(line);
    if (mapping !== undefined) this.#mappings.push(mapping);
  }

  /** "module+0xoffset", the offset being that in the file; undefined for an address of no file. */
  locate(address: bigint): string | undefined {
    const place = this.placeOf(address);
    return place && `${place.module}+0x${place.fileOffset.toString(16)}`;
  }

  /** Where in which file an address lies; undefined for an address of no file. */
  placeOf(address: bigint): FilePlace | undefined {
    const mapping = this.#mappings.find(({ start, end }) => address >= start && address < end);
    return (
      mapping && {
        module: mapping.module,
        fileOffset: address - mapping.start + mapping.fileOffset,
      }
    );
  }
}

function linuxMapping(line: string): Mapping | undefined {
  const match = LINUX.exec(line);
  if (match === null) return undefined;
  const [, start = '', end = '', executable, offset = '', path = ''] = match;
  return executable === 'x' ? mappingOf(start, end, path, offset) : undefined;
}

function macosMapping(line: string): Mapping | undefined {
  const [, start, end = '', path = ''] = MACOS.exec(line) ?? [];
  return start === undefined ? undefined : mappingOf(start, end, path, '0');
}

function mappingOf(start: string, end: string, path: string, offset: string): Mapping {
  const file = path.replace(/ \(deleted\)$/, '');
  return {
    start: BigInt(`0x${start}`),
    end: BigInt(`0x${end}`),
    fileOffset: BigInt(`0x${offset}`),
    module: file.slice(file.lastIndexOf('/') + 1),
  };
}
