import type { NamedRule } from './rules/named-rule.ts';
import { rulesByStrength } from './rules/subsystem-rules.ts';

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
const wildWords = new RegExp(`^(?:${rules.map(wildAlternative).join('|')})$`);

/** Verdicts of parts and pairs of parts that were looked at before: some thousand even in the largest profiles. */
const known = new Map<string, FrameVerdict | undefined>();
const KNOWN_AT_MOST = 100_000;

/**
 * What a function says, by its qualified name; undefined when no rule knows it. Of equally strong words the later
 * one counts, being the more specific, and of a part and a pair that ends in it the pair.
 */
export function verdictOf(path: string): FrameVerdict | undefined {
  let verdict: FrameVerdict | undefined;
  let previous = '';
  for (const part of path.split(SEPARATOR)) {
    if (part === '') continue;
    verdict = laterOf(verdict, lookUp(part));
    if (previous !== '') verdict = laterOf(verdict, lookUp(`${previous}::${part}`));
    previous = part;
  }
  return verdict;
}

function lookUp(words: string): FrameVerdict | undefined {
  const before = known.get(words);
  if (before !== undefined || known.has(words)) return before;
  const group = wildWords
    .exec(words)
    ?.slice(1)
    .findIndex((match) => match !== undefined);
  const wild = group === undefined ? undefined : rules[group]?.verdict;
  const plain = plainWords.get(words);
  const verdict = (plain?.strength ?? 0) >= (wild?.strength ?? 0) ? plain : wild;
  if (known.size >= KNOWN_AT_MOST) known.clear();
  known.set(words, verdict);
  return verdict;
}

function laterOf(
  first: FrameVerdict | undefined,
  second: FrameVerdict | undefined,
): FrameVerdict | undefined {
  if (first === undefined || second === undefined) return second ?? first;
  return second.strength >= first.strength ? second : first;
}

/** The words with * of a rule, as one group of the common expression; one that matches nothing keeps the numbering. */
function wildAlternative({ words }: RankedRule): string {
  const wild = words.filter((word) => word.includes('*'));
  return `(${wild.map((word) => word.replaceAll('*', '[^:]*')).join('|') || '(?!)'})`;
}
