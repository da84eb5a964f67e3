import type { Failure } from '../../src/failure.ts';

/** A part of an answer that could not be had. */
export interface MissingPart {
  readonly what: string;
  readonly failure: Failure;
}

/** "Not read: primary keys (User memprof lacks …), running merges (…)." Plain text. */
export function missingLine(missing: readonly MissingPart[]): string {
  const reasons = new Map<string, string[]>();
  for (const { what, failure } of missing) {
    const why = failure.why ?? failure.what;
    reasons.set(why, [...(reasons.get(why) ?? []), what]);
  }
  const parts = [...reasons].map(([why, whats]) => `${whats.join(', ')} (${why})`);
  return `Not read on this server: ${parts.join('; ')}.`;
}

/** Statements that would mend it, each once, one a line. */
export function pastesOf(missing: readonly MissingPart[]): string {
  const pastes = missing.flatMap(({ failure }) =>
    failure.kind === 'grant-missing' && failure.paste !== undefined ? [failure.paste] : [],
  );
  return [...new Set(pastes)].join('\n');
}
