import type { RecoveredNames } from './recovered-names.ts';

/** Code that so many classes share says nothing about any of them. */
const MOST_SHARERS = 12;

/**
 * One readable name for each function with evidence, in the form of a demangled symbol. The signature that a function
 * uses goes before the slot of a table; among several signatures that of the function's own class goes first.
 */
export function nameFunctions(
  { virtuals, signatures, sources, allocator }: RecoveredNames,
  demangle: (mangledClass: string) => string,
): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const start of allocator) names.set(start, `jemalloc!sub_${start.toString(16)}`);
  for (const [start, files] of sources) {
    if (files.length === 1) names.set(start, `[${files[0]}]`);
  }
  for (const [start, slots] of virtuals) {
    const classes = [...new Set(slots.map(({ mangledClass }) => mangledClass))];
    if (classes.length > MOST_SHARERS) continue;
    const candidates = slots
      .map(({ mangledClass, slot }) => `${demangle(mangledClass)}::[virtual #${slot}]`)
      .sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
    const sharers = classes.length === 1 ? '' : ` (shared by ${classes.length})`;
    names.set(start, `${candidates[0]}${sharers}`);
  }
  for (const [start, texts] of signatures) {
    const symbols = texts.map(symbolOfSignature);
    const ownClasses = (virtuals.get(start) ?? []).map(({ mangledClass }) =>
      demangle(mangledClass),
    );
    const own = symbols.find((symbol) => ownClasses.some((name) => symbol.startsWith(`${name}::`)));
    // Strings of inlined functions stand beside the function's own; without a class to tell, one alone is trusted.
    if (own !== undefined) names.set(start, own);
    else if (symbols.length === 1 && symbols[0] !== undefined) names.set(start, symbols[0]);
    else if (!names.has(start)) names.set(start, commonest(symbols));
  }
  return names;
}

/** `virtual void DB::A<T>::f(int) const [T = X]` as a symbol: `DB::A<T>::f(int) const`. */
function symbolOfSignature(signature: string): string {
  const plain = signature.replace(/ \[[^[\]]*(?:\[[^\]]*\][^[\]]*)*\]$/, '');
  const open = argumentsStart(plain);
  let depth = 0;
  for (let at = open - 1; at >= 0; at -= 1) {
    const character = plain[at];
    if (character === '>' || character === ')') depth += 1;
    if (character === '<' || character === '(') depth -= 1;
    if (character === ' ' && depth === 0 && !/operator$/.test(plain.slice(0, at))) {
      return plain.slice(at + 1).replace(/^[*&]+/, '');
    }
  }
  return plain;
}

/** Where the argument list of the outermost function opens. */
function argumentsStart(signature: string): number {
  let depth = 0;
  for (let at = 0; at < signature.length; at += 1) {
    const character = signature[at];
    if (character === '(' && depth === 0) {
      const isPartOfName =
        signature.startsWith('(anonymous', at) || signature.slice(0, at).endsWith('operator');
      if (!isPartOfName) return at;
    }
    if (character === '<' || character === '(') depth += 1;
    if (character === '>' || character === ')') depth -= 1;
  }
  return signature.length;
}

/** The one that the most share the class of; the first of equals. */
function commonest(symbols: readonly string[]): string {
  const classOf = (symbol: string) => symbol.replace(/\(.*$/, '').replace(/::[^:]*$/, '');
  const count = (symbol: string) =>
    symbols.filter((other) => classOf(other) === classOf(symbol)).length;
  return [...symbols].sort((a, b) => count(b) - count(a))[0] ?? '';
}
