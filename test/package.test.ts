import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  readonly resolved?: string;
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const require = createRequire(import.meta.url);
const root = new URL('.', `file://${require.resolve('#package')}`);
const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(new URL('package-lock.json', root), 'utf8'),
);

describe('the lock file', () => {
  it('holds no download addresses, so that everybody installs from where they are told to', () => {
    const addressed = Object.entries(lock.packages).filter(
      ([, each]) => each.resolved !== undefined,
    );
    expect(addressed.map(([name]) => name)).toEqual([]);
  });

  // npm leaves out what the registry at hand does not carry; `npm ci` then refuses the file everywhere.
  it('names the package of every platform, also of those on which it was not written', () => {
    const missing = Object.values(lock.packages)
      .flatMap((each) => Object.keys(each.optionalDependencies ?? {}))
      .filter(
        (name) => !Object.keys(lock.packages).some((path) => path.endsWith(`node_modules/${name}`)),
      );
    expect(missing).toEqual([]);
  });
});
