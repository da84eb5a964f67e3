import type { Count } from '../units.ts';

/** So that the names take some 16 MB at most, however many and however long they are. */
const MOST_CHARACTERS: Count = 1 << 23;

/** Answers about names that come again and again. When their names have become too many, all are forgotten. */
export class NameMemory<Answer> {
  readonly #answers = new Map<string, Answer>();
  #characters = 0;

  get(name: string): Answer | undefined {
    return this.#answers.get(name);
  }

  has(name: string): boolean {
    return this.#answers.has(name);
  }

  /** A name that was cut out of a longer one keeps all of that one in memory: tell how long it was. */
  set(name: string, answer: Answer, keptCharacters: Count = name.length): void {
    this.#characters += keptCharacters;
    if (this.#characters > MOST_CHARACTERS) {
      this.#answers.clear();
      this.#characters = keptCharacters;
    }
    // One that takes all there is would make the next one forget it.
    if (keptCharacters < MOST_CHARACTERS) this.#answers.set(name, answer);
  }
}
