/** Words of rules that hold a *, which stands for anything within one part of a name, that is but a colon. */
export class WildWords {
  /** By their first letters, where they begin with letters; all begin with as many. */
  readonly #byPrefix = new Map<string, WildWord[]>();
  readonly #others: WildWord[] = [];

  /** `words` with the rank of each; of those that match, the lowest rank counts. */
  constructor(words: Iterable<readonly [word: string, rank: number]>) {
    for (const [word, rank] of words) {
      const literal = longestLiteral(word);
      const wild = { rank, literal, pattern: wildPattern(word) };
      const prefix = word.slice(0, PREFIX_LENGTH);
      if (prefix.includes('*')) this.#others.push(wild);
      else if (!this.#byPrefix.has(prefix)) this.#byPrefix.set(prefix, [wild]);
      else this.#byPrefix.get(prefix)?.push(wild);
    }
  }

  /** The lowest rank of the words that match; undefined when none does. */
  rankOf(text: string): number | undefined {
    const begunAlike = this.#byPrefix.get(text.slice(0, PREFIX_LENGTH));
    const lowest = begunAlike === undefined ? undefined : lowestRank(begunAlike, text, undefined);
    return lowestRank(this.#others, text, lowest);
  }
}

interface WildWord {
  readonly rank: number;
  /** Its longest part without a *: a text without it cannot match, and looking for it is cheap. */
  readonly literal: string;
  readonly pattern: RegExp;
}

const PREFIX_LENGTH = 3;

function lowestRank(
  words: readonly WildWord[],
  text: string,
  known: number | undefined,
): number | undefined {
  let lowest = known;
  for (const { rank, literal, pattern } of words) {
    const isBetter = lowest === undefined || rank < lowest;
    if (isBetter && text.includes(literal) && pattern.test(text)) lowest = rank;
  }
  return lowest;
}

function longestLiteral(word: string): string {
  return word.split('*').reduce((longest, part) => (part.length > longest.length ? part : longest));
}

function wildPattern(word: string): RegExp {
  return new RegExp(`^${word.replaceAll('*', '[^:]*')}$`);
}
