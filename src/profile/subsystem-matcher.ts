import type { Count } from '../units.ts';
import { NameMemory } from './name-memory.ts';
import type { NamedRule } from './rules/named-rule.ts';
import { rulesByStrength } from './rules/subsystem-rules.ts';
import { WildWords } from './wild-words.ts';

/** What one frame says by the bundled rules. Stronger is larger. */
export interface FrameVerdict {
  readonly strength: number;
  readonly subsystem: string;
}

interface RankedRule {
  readonly verdict: FrameVerdict;
  readonly words: readonly string[];
}

/** Parts of a path, and of a source file's name where that is all that is known of a function. */
const SEPARATOR = /::|[/.[\]]/;
const OTHER_SEPARATOR = /[/.[\]]/;

/** The strongest first: the first one that knows a word decides. */
const rules: readonly RankedRule[] = rulesByStrength
  .flatMap((ranked: readonly NamedRule[], index) =>
    ranked.map(({ subsystem, words }) => ({
      verdict: { subsystem, strength: index + 1 },
      words: words.trim().split(/\s+/),
    })),
  )
  .reverse();
const plainWords = new Map(
  // A map keeps the last of equal keys, and the strongest has to win.
  rules.toReversed().flatMap(({ verdict, words }) => words.map((word) => [word, verdict] as const)),
);
const wildWords = new WildWords(
  rules.flatMap(({ words }, rank) =>
    words.filter((word) => word.includes('*')).map((word) => [word, rank] as const),
  ),
);

/** How the second parts of pairs begin: most parts of a path are none, and need not be put together with the one before. */
const PAIR_LETTERS = 3;
const pairBeginnings = new Set(
  rules
    .flatMap(({ words }) => words)
    .filter((word) => word.includes('::'))
    .map((word) => word.slice(word.lastIndexOf('::') + 2).slice(0, PAIR_LETTERS)),
);

/** Verdicts of parts and pairs of parts that were looked at before: some thousand even in the largest profiles. */
const known = new NameMemory<FrameVerdict | undefined>();

/**
 * What a function says, by its qualified name; undefined when no rule knows it. Of equally strong words the later
 * one counts, being the more specific, and of a part and a pair that ends in it the pair.
 */
export function verdictOf(path: string): FrameVerdict | undefined {
  let verdict: FrameVerdict | undefined;
  let previous = '';
  for (const part of path.split(OTHER_SEPARATOR.test(path) ? SEPARATOR : '::')) {
    if (part === '') continue;
    verdict = laterOf(verdict, lookUp(part, path.length));
    const mayEndPair = previous !== '' && pairBeginnings.has(part.slice(0, PAIR_LETTERS));
    if (mayEndPair) verdict = laterOf(verdict, lookUp(`${previous}::${part}`, path.length));
    previous = part;
  }
  return verdict;
}

function lookUp(words: string, pathLength: Count): FrameVerdict | undefined {
  const before = known.get(words);
  if (before !== undefined || known.has(words)) return before;
  const rank = wildWords.rankOf(words);
  const wild = rank === undefined ? undefined : rules[rank]?.verdict;
  const plain = plainWords.get(words);
  const verdict = (plain?.strength ?? 0) >= (wild?.strength ?? 0) ? plain : wild;
  known.set(words, verdict, pathLength);
  return verdict;
}

function laterOf(
  first: FrameVerdict | undefined,
  second: FrameVerdict | undefined,
): FrameVerdict | undefined {
  if (first === undefined || second === undefined) return second ?? first;
  return second.strength >= first.strength ? second : first;
}
