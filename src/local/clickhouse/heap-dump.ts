import type { AddressHex, Bytes, Count } from '../../units.ts';

/** One stack of a heap_v2 dump, with the numbers of all threads, as the file has them. */
export interface DumpedStack {
  /** Addresses as they stand in the dump, leaf first; equal stacks have equal keys. */
  readonly key: string;
  readonly objects: Count;
  readonly bytes: Bytes;
}

export interface HeapDump {
  /** Mean bytes between two samples: the R of `heap_v2/R`. */
  readonly samplingIntervalBytes: Bytes;
  readonly stacks: readonly DumpedStack[];
}

/** The two lines that matter of each stack of a dump; threads and mappings are left out. */
export function parseHeapDump(text: string): HeapDump {
  const samplingIntervalBytes = Number(/^heap_v2\/(\d+)/.exec(text)?.[1] ?? 0);
  const stacks: DumpedStack[] = [];
  const stack = /^@ ?([0-9a-fx ]*)\n\s+t\*: (\d+): (\d+) /gm;
  for (let match = stack.exec(text); match !== null; match = stack.exec(text)) {
    stacks.push({
      key: (match[1] ?? '').trimEnd(),
      objects: Number(match[2]),
      bytes: Number(match[3]),
    });
  }
  return { samplingIntervalBytes, stacks };
}

export function addressesOf(key: string): readonly AddressHex[] {
  return key === '' ? [] : key.split(' ');
}
