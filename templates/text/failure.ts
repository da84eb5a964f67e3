import type { Failure } from '../../src/failure.ts';

/** A failure for the shell: what, why, what to do, what to copy, and the reference. */
export function failureText(failure: Failure): string {
  const lines = [`${failure.message} [${failure.code}]`];
  if (failure.paste !== undefined) {
    lines.push('', ...failure.paste.split('\n').map((line) => `  ${line}`));
  }
  return lines.join('\n');
}
