import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { FileIo } from '../../src/cli/file-io.ts';

/** What a verb printed and told. */
export interface Shell extends FileIo {
  readonly printed: readonly string[];
  readonly told: readonly string[];
}

/** A shell that remembers, with this text as its standard input. */
export function createShell(standardInput = ''): Shell {
  const printed: string[] = [];
  const told: string[] = [];
  return {
    ...{ printed, told },
    standardInput: Readable.from([Buffer.from(standardInput)]),
    print: (text) => void printed.push(text),
    tell: (line) => void told.push(line),
  };
}

/** An empty folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'memprof-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
