import { Failure } from '../failure.ts';
import { formatCount, formatCountOf } from '../format.ts';
import type { Mapping } from '../readers/mappings.ts';
import type { UnnamedAddress, UnnamedAddresses } from '../readers/unnamed-addresses.ts';
import type { CodeSegment, Program } from './program.ts';

/** Of all machines that run the servers: x86-64 has the smallest, 64-bit ARM up to the largest. */
const PAGE_BYTES = [1n << 16n, 1n << 14n, 1n << 12n] as const;
const SMALLEST_PAGE = 1n << 12n;
/** Files that are named in a sentence. */
const MOST_FILES = 4;

/** Calls that are looked at: each of another build is there by chance only. */
const MOST_CALLS = 200;
/** Of the calls; some stacks begin at places where nothing was called, as those of fibers do. */
const LEAST_CALL_SHARE = 0.75;

/**
 * Lets a program name functions of a dump only when it can be the one that wrote it. A dump has no build id, but it
 * tells which parts of a file were mapped to be run: the parts that are code, to the page. And it has return
 * addresses: before each there is a call. Builds hardly ever agree in both. Whoever knows the build id of the server
 * can have that compared as well. Throws `usage` where the program is another one.
 */
export function requireSameBuild(
  program: Program,
  { addresses, mappings }: UnnamedAddresses,
  buildId?: string,
): void {
  if (buildId !== undefined) requireBuildId(program, buildId);
  const mapped = mappings.filter(({ module }) => module === program.module);
  if (mapped.length === 0) throw notInDump(program, mappings);
  if (program.code.length === 0) {
    throw otherBuild(program, {
      why: 'It has debug symbols only, and no code by which it could be told',
      fix: 'Give the program itself, and put its debug symbols where symbolisers find them, below /usr/lib/debug',
    });
  }
  requireSameExtent(program, mapped, pageBytesOf(mappings));
  requireCalls(program, addresses);
}

function requireSameExtent(program: Program, mapped: readonly Mapping[], pageBytes: bigint): void {
  const isHeld = mapped.every((one) => program.code.some((code) => holds(code, one, pageBytes)));
  if (isHeld && program.code.every((code) => isMapped(code, mapped))) return;
  throw otherBuild(program, {
    why: `Its code is at ${program.code.map(segmentWords).join(', ')} of the file, and the dump's process ran ${mapped.map(mappingWords).join(', ')} of one with that name: it is another build`,
  });
}

function requireCalls(program: Program, addresses: readonly UnnamedAddress[]): void {
  const places = addresses.flatMap(({ isCaller, place }) =>
    isCaller && place?.module === program.module ? [place.fileOffset + 1n] : [],
  );
  const answers = places.slice(0, MOST_CALLS).map((place) => program.isReturnPlace(place));
  const known = answers.filter((answer) => answer !== undefined);
  const calls = known.filter((isCall) => isCall);
  if (calls.length >= known.length * LEAST_CALL_SHARE) return;
  throw otherBuild(program, {
    why: `Of ${formatCountOf(known.length, 'place')} to which functions of the dump return, only ${formatCount(calls.length)} are behind a call in it: it is another build`,
  });
}

function requireBuildId(program: Program, given: string): void {
  const expected = given.toLowerCase().replace(/^0x/, '');
  if (program.buildId === undefined) {
    throw otherBuild(program, { why: 'It has no build id, and one was asked for' });
  }
  if (program.buildId === expected) return;
  throw otherBuild(program, {
    why: `Its build id is ${program.buildId}, and that of the dump's program ${expected}: it is another build`,
  });
}

/** Mappings begin and end at pages; they may be parts of a segment, when a process changed some of its pages. */
function holds(code: CodeSegment, mapping: Mapping, pageBytes: bigint): boolean {
  const start = code.fileOffset - (code.fileOffset % pageBytes);
  const end = code.fileOffset + code.fileBytes;
  return mapping.fileOffset >= start && endOf(mapping) < end + pageBytes;
}

/** Whether the first and the last byte of the code are mapped: that is how far it goes. */
function isMapped({ fileOffset, fileBytes }: CodeSegment, mapped: readonly Mapping[]): boolean {
  const isIn = (offset: bigint) =>
    mapped.some((one) => offset >= one.fileOffset && offset < endOf(one));
  return isIn(fileOffset) && isIn(fileOffset + fileBytes - 1n);
}

function endOf({ start, end, fileOffset }: Mapping): bigint {
  return fileOffset + end - start;
}

/** The largest size of pages that all mappings keep to. */
function pageBytesOf(mappings: readonly Mapping[]): bigint {
  const isKept = (bytes: bigint) =>
    mappings.every(({ start, end }) => start % bytes === 0n && end % bytes === 0n);
  return PAGE_BYTES.find(isKept) ?? SMALLEST_PAGE;
}

function segmentWords({ fileOffset, fileBytes }: CodeSegment): string {
  return rangeWords(fileOffset, fileOffset + fileBytes);
}

function mappingWords(mapping: Mapping): string {
  return rangeWords(mapping.fileOffset, endOf(mapping));
}

function rangeWords(start: bigint, end: bigint): string {
  return `0x${start.toString(16)} to 0x${end.toString(16)}`;
}

function notInDump(program: Program, mappings: readonly Mapping[]): Failure {
  // Brackets mark what is no file: [vdso].
  const files = [...new Set(mappings.map(({ module }) => module))].filter(
    (module) => !module.startsWith('['),
  );
  if (files.length === 0) {
    return otherBuild(program, {
      why: 'The dump has no list of libraries at its end, which tells what lies where',
      fix: 'Take or copy it once more: its end may be cut off',
    });
  }
  const more = files.length > MOST_FILES ? ' and others' : '';
  return otherBuild(program, {
    why: `The dump's process ran no file with that name, but ${files.slice(0, MOST_FILES).join(', ')}${more}`,
    fix: 'Give the very program that wrote the dump, under the name that it had there; a link will do',
  });
}

function otherBuild(
  program: Program,
  { why, fix = 'Give the very program that wrote the dump, or leave --binary out' }: Words,
): Failure {
  return new Failure('usage', { what: `${program.path} gives no names to this dump`, why, fix });
}

interface Words {
  readonly why: string;
  readonly fix?: string;
}
