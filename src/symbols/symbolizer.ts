import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Failure } from '../failure.ts';
import type { AddressHex } from '../units.ts';

/** A program that names addresses, with the words that make it answer as GNU addr2line does. */
interface Symbolizer {
  readonly program: string;
  readonly words: readonly string[];
}

/** The better first: it names functions of large programs in seconds, and never by a symbol that ended before. */
const symbolizers: readonly Symbolizer[] = [
  {
    program: 'llvm-symbolizer',
    words: ['--output-style=GNU', '--functions', '--demangle', '--inlines', '--addresses'],
  },
  { program: 'addr2line', words: ['-f', '-C', '-i', '-a'] },
];

const NAMELESS = '??';

/**
 * Names of addresses as the linker put them, those of inlined functions as "outer--inlined". An address without a
 * name is left out. Throws `environment` where no symboliser is installed.
 */
export async function namesAt(
  binary: string,
  addresses: readonly AddressHex[],
): Promise<ReadonlyMap<AddressHex, string>> {
  if (addresses.length === 0) return new Map();
  for (const { program, words } of symbolizers) {
    const answer = await ask(program, [...words, '-e', binary], addresses);
    if (answer !== undefined) return parseNames(answer);
  }
  throw new Failure('environment', {
    what: 'No names were looked up',
    why: `neither ${symbolizers.map(({ program }) => program).join(' nor ')} is installed`,
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
      why: `it ended with code ${code}`,
      fix: `Try it by hand: ${program} ${words.join(' ')} ${addresses[0]}`,
    });
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** Per address: itself, then a name and a place in the source for each function there, the innermost first. */
function parseNames(answer: string): ReadonlyMap<AddressHex, string> {
  const names = new Map<AddressHex, string>();
  let address = '';
  let functions: string[] = [];
  const note = () => {
    if (functions.length > 0) names.set(address, functions.reverse().join('--'));
  };
  let isName = false;
  for (const line of answer.split('\n')) {
    if (/^0x[0-9a-f]+$/.test(line)) {
      note();
      [address, functions, isName] = [`0x${BigInt(line).toString(16)}`, [], true];
    } else {
      if (isName && line !== '' && line !== NAMELESS) functions.push(line);
      isName = !isName;
    }
  }
  note();
  return names;
}
