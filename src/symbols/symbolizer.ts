import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Failure } from '../failure.ts';
import type { AddressHex } from '../units.ts';
import type { Program } from './program.ts';

/** A program that names addresses, with the words that make it answer as GNU addr2line does. */
interface Symbolizer {
  readonly program: string;
  readonly words: readonly string[];
}

/** The better first: it names functions of large programs in seconds. */
const symbolizers: readonly Symbolizer[] = [
  {
    program: 'llvm-symbolizer',
    words: ['--output-style=GNU', '--functions', '--demangle', '--inlines', '--addresses'],
  },
  { program: 'addr2line', words: ['-f', '-C', '-i', '-a'] },
];

const NAMELESS = '??';
/** "orders.c:12": the name comes from debug symbols, which tell where each function ends. */
const KNOWN_LINE = /:[1-9]\d*(?: \(discriminator \d+\))?$/;

/**
 * Names of addresses as the linker put them, those of inlined functions as "outer--inlined". An address without a
 * name is left out, and so is one that has only the name of the function before it. Throws `environment` where no
 * symboliser is installed.
 */
export async function namesAt(
  program: Program,
  addresses: readonly AddressHex[],
): Promise<ReadonlyMap<AddressHex, string>> {
  if (addresses.length === 0) return new Map();
  for (const { program: symbolizer, words } of symbolizers) {
    const answer = await ask(symbolizer, [...words, '-e', program.path], addresses);
    if (answer !== undefined) return parseNames(answer, program);
  }
  throw new Failure('environment', {
    what: 'No names were looked up',
    why: `Neither ${symbolizers.map(({ program }) => program).join(' nor ')} is installed`,
    fix: 'Install one of them, or leave --binary out: addresses are then shown as places in files',
    paste: 'apt-get install llvm',
  });
}

/** The answer of a symboliser; undefined where it is not installed. */
async function ask(
  program: string,
  words: readonly string[],
  addresses: readonly AddressHex[],
): Promise<string | undefined> {
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'] });
  // One that ends early is seen by its exit code.
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${addresses.join('\n')}\n`);
  try {
    const [answer, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    if (code === 0) return answer;
    throw new Failure('environment', {
      what: `${program} gave no names`,
      why: `It ended with code ${code}`,
      fix: `Try it by hand: ${program} ${words.join(' ')} ${addresses[0]}`,
    });
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** Per address: itself, then a name and a place in the source for each function there, the innermost first. */
function parseNames(answer: string, program: Program): ReadonlyMap<AddressHex, string> {
  const names = new Map<AddressHex, string>();
  for (const block of answer.split(/^(?=0x[0-9a-f]+$)/m)) {
    const [address = '', ...lines] = block.split('\n');
    if (!address.startsWith('0x')) continue;
    const linked = BigInt(address);
    const functions: string[] = [];
    for (let at = 0; at + 1 < lines.length; at += 2) {
      const [name = '', place = ''] = lines.slice(at, at + 2);
      const isNamed = name !== '' && name !== NAMELESS;
      const isThere = () => KNOWN_LINE.test(place) || program.isInFunction(linked);
      if (isNamed && isThere()) functions.push(name);
    }
    if (functions.length > 0) names.set(`0x${linked.toString(16)}`, functions.reverse().join('--'));
  }
  return names;
}
