import type { Bytes } from '../../units.ts';
import type { Dumps } from './dumps.ts';
import { parseHeapDump } from './heap-dump.ts';
import { type AllocationEvent, LiveObjects } from './live-objects.ts';
import type { ThreadIds } from './thread-ids.ts';

/** Takes dumps and follows what lives from one to the next. */
export interface HeapFollower {
  /** One dump more: every listener is told what came and went since the last. */
  step(): Promise<void>;
  listen(listener: Listener): void;
  unlisten(listener: Listener): void;
  /** As of the last step. */
  readonly objects: LiveObjects;
  /** 0 before the first step. */
  readonly samplingIntervalBytes: Bytes;
}

type Listener = (events: readonly AllocationEvent[]) => void;

export function createHeapFollower(dumps: Dumps, threads: ThreadIds): HeapFollower {
  const objects = new LiveObjects();
  const listeners = new Set<Listener>();
  let samplingIntervalBytes = 0;
  const follow = async () => {
    const { text, atMicros } = await dumps.take();
    const dump = parseHeapDump(text);
    threads.learn(dump.threadNames);
    samplingIntervalBytes = dump.samplingIntervalBytes;
    const events = objects.follow(dump, atMicros);
    for (const listener of listeners) listener(events);
  };
  // In turn: a dump that is followed out of order would undo a later one.
  let turn: Promise<void> = Promise.resolve();
  return {
    step: () => {
      const mine = turn.then(follow);
      turn = mine.catch(() => {});
      return mine;
    },
    listen: (listener) => listeners.add(listener),
    unlisten: (listener) => listeners.delete(listener),
    objects,
    get samplingIntervalBytes() {
      return samplingIntervalBytes;
    },
  };
}
