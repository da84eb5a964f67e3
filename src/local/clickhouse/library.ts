import { createRequire } from 'node:module';
import { Failure } from '../../failure.ts';

/**
 * Path of the shared library with the engine in it (npm package chdb). Only the path is asked for: the package's
 * own addon is never loaded.
 */
export function engineLibraryPath(): string {
  const require = createRequire(import.meta.url);
  try {
    const { libchdbPath } = require('chdb/libchdb') as { libchdbPath: () => string };
    // Its native part is a package of its own, which only loading it shows.
    require('ffi-rs');
    return libchdbPath();
  } catch (cause) {
    throw new Failure('environment', {
      what: 'The embedded ClickHouse engine is not installed',
      why: `the packages chdb and ffi-rs, or their part for ${process.platform} ${process.arch}, are missing`,
      fix: 'Install the development dependencies (Linux with glibc or macOS), or name a server of your own in the config',
      paste: 'npm ci --include=dev',
      cause,
    });
  }
}
