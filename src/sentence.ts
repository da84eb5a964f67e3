/** Names that stay small where a sentence begins with them. */
const SMALL_NAMES: ReadonlySet<string> = new Set(['memprof', 'jemalloc', 'jeprof']);

/**
 * One sentence: its first letter large, a dot at its end. What begins with a name that would be another one in large
 * letters (`readTimeoutMs`, `trace_log`, `prod-1`, `memprof`) keeps it.
 */
export function sentence(text: string): string {
  const word = /^([a-z]+)(?:['’][a-z]+)?(?=[\s,:;.!?…]|$)(?!\.\S)/.exec(text)?.[1];
  const isWord = word !== undefined && !SMALL_NAMES.has(word);
  return dotted(isWord ? text.charAt(0).toUpperCase() + text.slice(1) : text);
}

/** With a dot at its end, else as it is. For what may begin with a name that looks like a word. */
export function dotted(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
