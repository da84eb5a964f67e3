import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EpochMicros } from '../../units.ts';
import type { EngineClient } from './engine-client.ts';

export interface TakenDump {
  readonly text: string;
  readonly atMicros: EpochMicros;
}

/**
 * Takes heap dumps, one at a time: the engine writes a file, we read and delete it. Files are read synchronously: a
 * millisecond so, many through the thread pool while a query has all processors.
 */
export interface Dumps {
  take(): Promise<TakenDump>;
  /**
   * Runs somebody else's statement while no dump of ours is written. Resolves to the path of the dump when the
   * statement says that it wrote one; the file then has a name of its own and stays.
   */
  keep(writeDump: () => Promise<boolean>): Promise<string | undefined>;
}

export function createDumps(client: EngineClient, dumpDir: string): Dumps {
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(task: () => Promise<Result>): Promise<Result> => {
    const mine = turn.then(task, task);
    turn = mine.catch(() => {});
    return mine;
  };
  return {
    take: () =>
      inTurn(async () => {
        // Whatever it answers: the dump is written, only its path is lost in this build.
        await client.ask('SYSTEM JEMALLOC FLUSH PROFILE');
        const atMicros = Date.now() * 1000;
        const path = newest(dumpDir);
        const text = readFileSync(path, 'utf8');
        rmSync(path, { force: true });
        return { text, atMicros };
      }),
    keep: (writeDump) =>
      inTurn(async () => {
        if (!(await writeDump())) return undefined;
        const path = newest(dumpDir);
        const kept = path.replace(/\.m\d+\.heap$/, '.kept.heap');
        renameSync(path, kept);
        return kept;
      }),
  };
}

/** Files are `heap.<pid>.<number>.m<number>.heap`, counted up. */
function newest(dumpDir: string): string {
  const files = readdirSync(dumpDir).filter((name) => /\.m\d+\.heap$/.test(name));
  const number = (name: string) => Number(/\.m(\d+)\.heap$/.exec(name)?.[1]);
  files.sort((a, b) => number(b) - number(a));
  if (files[0] === undefined) throw new Error('the engine wrote no heap dump');
  return join(dumpDir, files[0]);
}
