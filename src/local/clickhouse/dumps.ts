import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EpochMicros } from '../../units.ts';
import type { EngineClient } from './engine-client.ts';

export interface TakenDump {
  readonly text: string;
  readonly atMicros: EpochMicros;
}

/** Takes heap dumps, one at a time: the engine writes a file, we read and delete it. */
export interface Dumps {
  take(): Promise<TakenDump>;
  /** The dump that a statement of somebody else has just written, moved to a name of its own. */
  keepNewest(): Promise<string>;
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
        // Code 107: the dump is written, only its path is lost in this build.
        await client.ask('SYSTEM JEMALLOC FLUSH PROFILE');
        const atMicros = Date.now() * 1000;
        const path = await newest(dumpDir);
        const text = await readFile(path, 'utf8');
        await rm(path, { force: true });
        return { text, atMicros };
      }),
    keepNewest: () =>
      inTurn(async () => {
        const path = await newest(dumpDir);
        const kept = path.replace(/\.m\d+\.heap$/, '.kept.heap');
        await rename(path, kept);
        return kept;
      }),
  };
}

/** Files are `heap.<pid>.<number>.m<number>.heap`, counted up. */
async function newest(dumpDir: string): Promise<string> {
  const files = (await readdir(dumpDir)).filter((name) => /\.m\d+\.heap$/.test(name));
  const number = (name: string) => Number(/\.m(\d+)\.heap$/.exec(name)?.[1]);
  files.sort((a, b) => number(b) - number(a));
  if (files[0] === undefined) throw new Error('the engine wrote no heap dump');
  return join(dumpDir, files[0]);
}
