import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Config, targetOf } from './config.ts';
import { Failure } from './failure.ts';
import type { DumpFile, DumpFolder } from './ports.ts';

/** As jemalloc and ClickHouse name dumps: "jemalloc_clickhouse.<pid>.<seq>.heap.collapsed", "<prefix>.623.0.m0.heap". */
const DUMP_NAME = /^.+\.\d+\.\d+(?:\.[a-z]\d+)?\.heap(?:\.collapsed|\.symbolized)?$/;

/** The folders that the config names; a dump is found there by its file name. */
export function createDumpFolder(config: Config): DumpFolder {
  const folderOf = (target: string) => targetOf(config, target).dumpFolder;
  return {
    isConfigured: (target) => folderOf(target) !== undefined,

    isReadByServer(name) {
      const target = targetOf(config, name);
      return target.kind === 'clickhouse' && target.readDumpsByFile;
    },

    async list(target) {
      const folder = folderOf(target);
      if (folder === undefined) return [];
      const names = await readdir(folder).catch((cause: unknown) => {
        throw unreadable(target, folder, cause);
      });
      const files = await Promise.all(
        names.filter((name) => DUMP_NAME.test(name)).map((name) => describe(folder, name)),
      );
      return files
        .filter((file) => file !== undefined)
        .sort((a, b) => b.writtenAtMicros - a.writtenAtMicros || a.name.localeCompare(b.name));
    },

    async read(target, serverPath) {
      const folder = folderOf(target);
      const name = basename(serverPath);
      // The path comes from a server: only what is named as a dump is read.
      if (folder === undefined || !DUMP_NAME.test(name)) return undefined;
      return readFile(join(folder, name)).catch((cause: unknown) => {
        if (isAbsent(cause)) return undefined;
        throw unreadable(target, folder, cause);
      });
    },
  };
}

async function describe(folder: string, name: string): Promise<DumpFile | undefined> {
  try {
    const { size, mtimeMs } = await stat(join(folder, name));
    return { name, bytes: size, writtenAtMicros: Math.round(mtimeMs * 1000) };
  } catch (thrown) {
    // Somebody tidied up in between.
    if (isAbsent(thrown)) return undefined;
    throw thrown;
  }
}

function isAbsent(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
}

function unreadable(target: string, folder: string, cause: unknown): Failure {
  return new Failure('config', {
    what: `Could not read ${folder}, the dumpFolder of ${target}`,
    why: cause instanceof Error ? cause.message : String(cause),
    fix: `Mount the folder in which ${target} writes its heap dumps (/tmp unless it was changed) where memprof runs, readable for it`,
    cause,
  });
}
