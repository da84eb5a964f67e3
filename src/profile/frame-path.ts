import { type FrameTable, frameName } from './frame-table.ts';
import { functionPath } from './function-path.ts';

/** Paths that were read before, by table; several rule files ask for the same ones. */
const knownPaths = new WeakMap<FrameTable, (string | undefined)[]>();

/** The qualified function name of a frame, as rules look at it. */
export function framePath(table: FrameTable, id: number): string {
  let paths = knownPaths.get(table);
  if (paths === undefined) {
    paths = new Array<string | undefined>(table.size);
    knownPaths.set(table, paths);
  }
  paths[id] ??= functionPath(frameName(table, id));
  return paths[id];
}
