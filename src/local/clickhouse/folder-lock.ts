import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../failure.ts';

/**
 * Makes sure that one engine at a time uses a data folder. The engine has a lock of its own, but finds it taken only
 * after the files of the running one have been replaced.
 */
export interface FolderLock {
  /** Notes that this process has the folder. */
  take(pid: number): Promise<void>;
  release(): Promise<void>;
}

const ENDS_WITHIN_MS = 5000;
const LOOK_AGAIN_MS = 50;

/**
 * Waits a moment for an engine whose parent has just died, which ends by itself; throws `environment` when another
 * stays.
 */
export async function lockFolder(root: string): Promise<FolderLock> {
  const file = join(root, 'engine.pid');
  const deadlineMs = Date.now() + ENDS_WITHIN_MS;
  while (await isEngineOf(root, Number(await readFile(file, 'utf8').catch(() => '0')))) {
    if (Date.now() > deadlineMs) {
      throw new Failure('environment', {
        what: `Another embedded ClickHouse engine runs on ${root}`,
        why: `its process is ${await readFile(file, 'utf8').catch(() => 'gone by now')}`,
        fix: 'Stop the other one, or name another folder',
      });
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return {
    take: (pid) => writeFile(file, String(pid)),
    release: () => rm(file, { force: true }),
  };
}

/** Whether the process lives and is an engine on this folder: ids are used again after a while. */
async function isEngineOf(root: string, pid: number): Promise<boolean> {
  if (!(pid > 0) || !isAlive(pid)) return false;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  return command === undefined ? isAlive(pid) : command.includes(join(root, 'config.xml'));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
