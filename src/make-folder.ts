import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Failure } from './failure.ts';

/**
 * Makes a folder and those above it, where they are missing. Throws `usage` with the reason when it cannot. Not by
 * mkdir's own `recursive`, which never ends where a folder is there but takes no others, as /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  const folder = resolve(path);
  try {
    const missing: string[] = [];
    let at = folder;
    while (!(await isThere(at))) {
      missing.push(at);
      at = dirname(at);
    }
    for (const next of missing.reverse()) await makeOne(next);
    if ((await stat(folder)).isDirectory()) return;
  } catch (cause) {
    throw cannotMake(folder, cause instanceof Error ? cause.message : String(cause), cause);
  }
  throw cannotMake(folder, 'A file of that name is there');
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}

async function makeOne(path: string): Promise<void> {
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    // Somebody else was quicker.
    if (error.code !== 'EEXIST') throw error;
  });
}

function cannotMake(folder: string, why: string, cause?: unknown): Failure {
  return new Failure('usage', {
    what: `Could not make the folder ${folder}`,
    why,
    fix: 'Name a folder that may be written to',
    ...(cause === undefined ? {} : { cause }),
  });
}
