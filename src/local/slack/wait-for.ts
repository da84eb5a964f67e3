import type { Milliseconds } from '../../units.ts';
import type { Changes } from './state/changes.ts';

/**
 * Resolves to the first value of the check that is not undefined, null or false, looking again after each change;
 * rejects with what `describe` says when that takes too long.
 */
export function waitFor<Value>(
  changes: Changes,
  check: () => Value | undefined | null | false,
  options: { readonly timeoutMs: Milliseconds; readonly describe: () => string },
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      clearInterval(ticker);
      unsubscribe();
    };
    const look = () => {
      try {
        const value = check();
        if (value === undefined || value === null || value === false) return;
        end();
        resolve(value);
      } catch (thrown) {
        end();
        reject(thrown);
      }
    };
    const timer = setTimeout(() => {
      end();
      reject(new Error(`nothing came within ${options.timeoutMs} ms.\n${options.describe()}`));
    }, options.timeoutMs);
    // Some things change without a word, such as what the caller counts itself.
    const ticker = setInterval(look, 100);
    const unsubscribe = changes.subscribe(look);
    look();
  });
}
