import type { SampledPair } from '../../allocator/unsample.ts';
import type { AddressHex, Bytes } from '../../units.ts';

/** jemalloc's own number of a thread, counted up as threads come; not the thread id of the system. */
export type ThreadUid = number;

/** What one thread holds under one stack. */
export interface ThreadHolding extends SampledPair {
  readonly uid: ThreadUid;
}

/** One stack of a heap_v2 dump, with the numbers of all threads, as the file has them. */
export interface DumpedStack extends SampledPair {
  /** Addresses as they stand in the dump, leaf first; equal stacks have equal keys. */
  readonly key: string;
  readonly threads: readonly ThreadHolding[];
}

export interface HeapDump {
  /** Mean bytes between two samples: the R of `heap_v2/R`. */
  readonly samplingIntervalBytes: Bytes;
  /** Threads that live or have live samples, by the name that ClickHouse gave them; '' before it did. */
  readonly threadNames: ReadonlyMap<ThreadUid, string>;
  readonly stacks: readonly DumpedStack[];
}

/**
 * Layout, by line: `heap_v2/R`, one `  tN: objects: bytes [0: 0] name` a thread, then for each stack `@ 0x… 0x…`, a line
 * `  t*:` for all threads together and one `  tN:` a thread; last MAPPED_LIBRARIES. Source: jemalloc, src/prof_data.c.
 */
export function parseHeapDump(text: string): HeapDump {
  const [head = '', ...parts] = withoutMappings(text).split('\n@');
  const threadNames = new Map<ThreadUid, string>();
  for (const [, uid, name = ''] of head.matchAll(/^ *t(\d+): \d+: \d+ \[\d+: \d+\] ?(.*)$/gm)) {
    threadNames.set(Number(uid), name);
  }
  return {
    samplingIntervalBytes: Number(/^heap_v2\/(\d+)/.exec(head)?.[1] ?? 0),
    threadNames,
    stacks: parts.flatMap((part) => stackOf(part) ?? []),
  };
}

/** Undefined for a stack that holds nothing any more: it has no lines. */
function stackOf(part: string): DumpedStack | undefined {
  const end = part.indexOf('\n');
  if (end < 0) return undefined;
  let all: SampledPair | undefined;
  const threads: ThreadHolding[] = [];
  for (const [, who, objects, bytes] of part.matchAll(/^ *t(\*|\d+): (\d+): (\d+) /gm)) {
    const pair = { objects: Number(objects), bytes: Number(bytes) };
    if (who === '*') all = pair;
    else threads.push({ uid: Number(who), ...pair });
  }
  return all && { key: part.slice(0, end).trim(), ...all, threads };
}

function withoutMappings(text: string): string {
  const at = text.indexOf('\nMAPPED_LIBRARIES:');
  return at < 0 ? text : text.slice(0, at);
}

export function addressesOf(key: string): readonly AddressHex[] {
  return key === '' ? [] : key.split(' ');
}
