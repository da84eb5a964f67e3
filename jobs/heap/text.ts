import { Failure } from '../../src/failure.ts';
import type { Bytes } from '../../src/units.ts';

/** Where the live heap came from. */
export type HeapSource =
  | 'jemalloc_profile_text'
  | 'flushed dump'
  | 'trace_log'
  | 'HTTP control'
  | 'jmfp'
  /** An earlier investigation. */
  | 'kept';

const SOURCE_WORDS: Readonly<Record<HeapSource, string>> = {
  jemalloc_profile_text: 'system.jemalloc_profile_text',
  'flushed dump': 'a flushed dump',
  trace_log: 'system.trace_log',
  'HTTP control': "Keeper's HTTP control",
  jmfp: "Keeper's dump",
  kept: 'what was kept',
};

export function sourceWords(source: HeapSource): string {
  return SOURCE_WORDS[source];
}

/** The live heap as text, in whatever form the source gives. */
export interface HeapText {
  readonly source: HeapSource;
  readonly bytes: Uint8Array;
  /** Of the dump on the server, where it told. */
  readonly path?: string;
  readonly notes: readonly string[];
}

/** More than the heap of any server that was seen; a profile has some hundred bytes a stack. */
const MAX_TEXT_BYTES: Bytes = 1024 * 2 ** 20;

/** All of a streamed answer. Throws `no-samples` for an empty one, `broken-profile` for one without end. */
export async function collectText(
  target: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let lengthBytes = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    lengthBytes += chunk.length;
    if (lengthBytes > MAX_TEXT_BYTES) throw tooLong(target);
  }
  if (lengthBytes === 0) throw emptyHeap(target);
  const text = new Uint8Array(lengthBytes);
  let at = 0;
  for (const part of parts) {
    text.set(part, at);
    at += part.length;
  }
  return text;
}

export function emptyHeap(target: string): Failure {
  return new Failure('no-samples', {
    what: `The heap profile of ${target} is empty`,
    why: 'no live allocation was sampled: the global profiler is off, and no query that asked for sampling holds memory',
    fix: 'Switch the global profiler on in the config of the server and restart it',
    paste: '<jemalloc_enable_global_profiler>1</jemalloc_enable_global_profiler>',
  });
}

function tooLong(target: string): Failure {
  return new Failure('broken-profile', {
    what: `The heap profile of ${target} does not end`,
    why: `more than ${MAX_TEXT_BYTES / 2 ** 20} MiB came`,
    fix: 'Ask for a dump on the server with flush, and give that file to `memprof render`',
  });
}
