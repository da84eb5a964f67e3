import { readdirSync, readFileSync } from 'node:fs';
import type { ThreadUid } from './heap-dump.ts';

/** The system's id of a thread, as query_log.thread_ids has it. */
export type ThreadId = number;

/**
 * Tells which thread of the system a thread of a heap dump is, so that samples can be given to the query whose
 * thread_ids has it. A dump has jemalloc's own numbers, and nothing gives both; but both count up as threads come into
 * use, and a thread gets its name in both at the same moment. Threads come from two pools (of HTTP connections and the
 * global one), each of which keeps that order; so new numbers and new ids of one pool are matched in order.
 */
export class ThreadIds {
  readonly #readThreads: () => ReadonlyMap<ThreadId, string>;
  readonly #idByUid = new Map<ThreadUid, ThreadId>();
  #namesByUid: ReadonlyMap<ThreadUid, string> = new Map();

  constructor(readThreads: () => ReadonlyMap<ThreadId, string>) {
    this.#readThreads = readThreads;
  }

  /** Looks at the threads just after a dump with these names. */
  learn(namesByUid: ReadonlyMap<ThreadUid, string>): void {
    this.#namesByUid = namesByUid;
    const isNew = ([uid, name]: readonly [ThreadUid, string]) =>
      poolOf(name) !== undefined && !this.#idByUid.has(uid);
    if (![...namesByUid].some(isNew)) return;
    const namesById = this.#readThreads();
    for (const [uid, id] of this.#idByUid) {
      if (!(namesById.has(id) && namesByUid.has(uid))) this.#idByUid.delete(uid);
    }
    const known = new Set(this.#idByUid.values());
    for (const pool of ['http', 'global'] as const) {
      const uids = threadsOf(pool, namesByUid).filter((uid) => !this.#idByUid.has(uid));
      const ids = threadsOf(pool, namesById).filter((id) => !known.has(id));
      // Numbers of threads that are gone stay while something lives that they allocated: they are the oldest.
      const gone = Math.max(0, uids.length - ids.length);
      for (const [index, uid] of uids.slice(gone).entries()) {
        const id = ids[index];
        if (id !== undefined) this.#idByUid.set(uid, id);
      }
    }
  }

  /** Whether a thread works for the server itself: merges, flushes of logs, watching. No query has it. */
  isBackground(uid: ThreadUid): boolean {
    return BACKGROUND.test(this.#namesByUid.get(uid) ?? '');
  }

  /** False where there is no /proc: then nothing is known of any thread. */
  get canTell(): boolean {
    return this.#idByUid.size > 0;
  }

  /** Undefined for a thread that is gone or has no name yet. */
  of(uid: ThreadUid): ThreadId | undefined {
    return this.#idByUid.get(uid);
  }
}

/** Names that ClickHouse gives to threads that no query uses. */
const BACKGROUND =
  /^(?:node|SignalListnr|MemoryWorker|RuntimeData|Bg\w*SchPool|MergeMutate|Move|Fetch|Common|PoolDelayExec|SystemLogFlush|Async\w*)$/;

type Pool = 'http' | 'global';

function threadsOf(pool: Pool, names: ReadonlyMap<number, string>): readonly number[] {
  const numbers = [...names].flatMap(([number, name]) => (poolOf(name) === pool ? [number] : []));
  return numbers.sort((a, b) => a - b);
}

/** Threads of Node, and of ClickHouse before their first work, have no name of ClickHouse's. */
function poolOf(name: string): Pool | undefined {
  if (name === '' || name === 'node') return undefined;
  return name.startsWith('HTTP') ? 'http' : 'global';
}

/**
 * Names of the threads of a process by id; empty where there is no /proc. Synchronous: some dozen tiny reads take less
 * than a millisecond so, and many times that through the thread pool while a query has all processors.
 */
export function threadNamesOf(pid: number): ReadonlyMap<ThreadId, string> {
  const folder = `/proc/${pid}/task`;
  const names = new Map<ThreadId, string>();
  for (const id of orElse([], () => readdirSync(folder))) {
    names.set(Number(id), orElse('', () => readFileSync(`${folder}/${id}/comm`, 'utf8')).trim());
  }
  return names;
}

/** Threads end while we look. */
function orElse<Value>(fallback: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return fallback;
  }
}
