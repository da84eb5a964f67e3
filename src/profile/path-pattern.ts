/** One expression that matches any of these blank-separated qualified names, whole; * stands for anything, ? for a blank. */
export function pathPattern(words: string): RegExp {
  const alternatives = words
    .trim()
    .split(/\s+/)
    .map((word) =>
      word
        .replace(/[.[\](){}+^$|\\]/g, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll('?', ' '),
    );
  return new RegExp(`^(?:${alternatives.join('|')})$`);
}
