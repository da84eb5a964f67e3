import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type ElfFile, readElf } from './elf.ts';

/** A mapped piece of code of a running process. */
export interface MappedCode {
  readonly start: bigint;
  readonly end: bigint;
  /** Add to an address of the file to get the live address. */
  readonly loadBase: bigint;
  readonly path: string;
  readonly name: string;
}

/** Executable mappings of a process; empty where there is no /proc. */
export function mappedCode(pid: number): readonly MappedCode[] {
  const elves = new Map<string, ElfFile | undefined>();
  const mapped: MappedCode[] = [];
  for (const line of mapsOf(pid).split('\n')) {
    const match = /^([0-9a-f]+)-([0-9a-f]+) ..x. ([0-9a-f]+) \S+ \S+ +(\/.*)$/.exec(line);
    if (match === null) continue;
    const [, start = '', end = '', offset = '', path = ''] = match;
    if (!elves.has(path)) elves.set(path, tryElf(path));
    mapped.push({
      start: BigInt(`0x${start}`),
      end: BigInt(`0x${end}`),
      loadBase: loadBase(BigInt(`0x${start}`), Number.parseInt(offset, 16), elves.get(path)),
      path,
      name: basename(path),
    });
  }
  return mapped;
}

const PAGE = 4096n;

/**
 * The engine maps its own library a second time, read-only, so the first mapping of a file tells nothing: only the
 * executable segment at the mapping's file offset does.
 */
function loadBase(start: bigint, fileOffset: number, elf: ElfFile | undefined): bigint {
  const inPages = (value: number) => (BigInt(value) / PAGE) * PAGE;
  const segment = elf?.segments.find(
    (candidate) => candidate.isExecutable && inPages(candidate.fileOffset) === BigInt(fileOffset),
  );
  return segment === undefined ? start - BigInt(fileOffset) : start - inPages(segment.address);
}

function mapsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8');
  } catch {
    return '';
  }
}

function tryElf(path: string): ElfFile | undefined {
  try {
    return readElf(path);
  } catch {
    return undefined;
  }
}
