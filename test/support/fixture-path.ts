import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = dirname(createRequire(import.meta.url).resolve('#package'));

/** The path of a file of test/fixtures, for compiled code as well: fixtures are not compiled. */
export function fixturePath(name: string): string {
  return join(root, 'test/fixtures', name);
}
