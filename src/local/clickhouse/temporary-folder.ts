import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * A folder that is removed at the end. Its name has the id of our process, so that what a process left that was
 * killed is removed by the next that asks for one of the same prefix.
 */
export async function temporaryFolder(prefix: string): Promise<TemporaryFolder> {
  for (const name of await readdir(tmpdir())) {
    const owner = new RegExp(`^${prefix}-(\\d+)-`).exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) await remove(join(tmpdir(), name));
  }
  const path = await mkdtemp(join(tmpdir(), `${prefix}-${process.pid}-`));
  return { path, [Symbol.asyncDispose]: () => remove(path) };
}

function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    // EPERM: it lives, and belongs to somebody else.
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}
