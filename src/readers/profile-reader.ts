import { gunzipSync } from 'node:zlib';
import { Failure } from '../failure.ts';
import { formatBytes } from '../format.ts';
import type { Profile } from '../profile/profile.ts';
import type { Bytes } from '../units.ts';
import { CollapsedParser } from './collapsed.ts';
import { HeapDumpParser } from './heap-dump.ts';
import { LineBlocks } from './line-blocks.ts';
import { brokenProfile } from './not-a-profile.ts';
import { readPprof } from './pprof.ts';
import type { ReadOptions } from './read-options.ts';
import { type Encoding, encodingOf, identify, SNIFFED_BYTES } from './sniff.ts';

/** Text packs a hundredfold at most; what would unpack to far more is no profile but a trap. */
const UNPACKED_PER_BYTE = 250;
const LEAST_UNPACKED_LIMIT: Bytes = 64 << 20;
const MOST_UNPACKED: Bytes = 2 ** 31;

/** Takes the bytes of an input whose kind is known. */
interface Sink {
  feed(chunk: Uint8Array): void;
  /** Room to write the next bytes into, followed by `filled`, where that saves a copy. */
  readonly blocks?: LineBlocks;
  finish(): Profile;
}

/**
 * Reads a profile of any known kind. Feed it the bytes in chunks of any size, then finish. Throws `not-a-profile`
 * for what is something else, by name, and `broken-profile` for what has nothing sound in it.
 */
export class ProfileReader {
  readonly #options: ReadOptions;
  readonly #head = Buffer.alloc(SNIFFED_BYTES);
  #headBytes: Bytes = 0;
  #sink: Sink | undefined;

  constructor(options: ReadOptions = {}) {
    this.#options = options;
  }

  feed(chunk: Uint8Array): void {
    if (this.#sink !== undefined) this.#sink.feed(chunk);
    else {
      const taken = chunk.subarray(0, SNIFFED_BYTES - this.#headBytes);
      this.#head.set(taken, this.#headBytes);
      this.#headBytes += taken.length;
      if (this.#headBytes === SNIFFED_BYTES) this.#begin().feed(chunk.subarray(taken.length));
    }
  }

  /** Undefined until enough was fed to tell the kind, and for kinds that are not read line by line. */
  get blocks(): LineBlocks | undefined {
    return this.#sink?.blocks;
  }

  finish(): Profile {
    return (this.#sink ?? this.#begin()).finish();
  }

  /** Tells the kind from what was fed so far, and goes on with it as that. */
  #begin(): Sink {
    const head = this.#head.subarray(0, this.#headBytes);
    const { encoding, markBytes } = encodingOf(head);
    const recode = recoder(encoding);
    const start = recode(head.subarray(markBytes));
    const sink = this.#sinkFor(identify(start.subarray(0, SNIFFED_BYTES)));
    this.#sink = encoding === 'utf-8' ? sink : recoding(sink, recode);
    sink.feed(start);
    return this.#sink;
  }

  #sinkFor(kind: ReturnType<typeof identify>): Sink {
    switch (kind) {
      case 'collapsed':
        return lineSink(new CollapsedParser(this.#options), this.#options);
      case 'heap dump':
        return lineSink(new HeapDumpParser(this.#options), this.#options);
      case 'pprof':
        return wholeSink((bytes) => readPprof(bytes, this.#options));
      case 'gzip':
        return wholeSink((bytes) => {
          const unpacked = gunzip(bytes);
          const inner = new ProfileReader({ ...this.#options, sizeBytes: unpacked.length });
          inner.feed(unpacked);
          return inner.finish();
        });
    }
  }
}

function lineSink(parser: CollapsedParser | HeapDumpParser, { sizeBytes }: ReadOptions): Sink {
  const blocks = new LineBlocks((block) => parser.block(block), sizeBytes);
  return {
    blocks,
    feed: (chunk) => blocks.feed(chunk),
    finish() {
      blocks.end();
      return parser.finish();
    },
  };
}

function wholeSink(read: (bytes: Uint8Array) => Profile): Sink {
  const chunks: Uint8Array[] = [];
  return {
    // The chunk may be a buffer that is written again.
    feed: (chunk) => chunks.push(Uint8Array.from(chunk)),
    finish: () => read(Buffer.concat(chunks)),
  };
}

/** What is written into a room goes past the recoding: there is none. */
function recoding(sink: Sink, recode: (chunk: Uint8Array) => Uint8Array): Sink {
  return { feed: (chunk) => sink.feed(recode(chunk)), finish: () => sink.finish() };
}

/** Chunks of UTF-16 to UTF-8; a character may be parted between two chunks. */
function recoder(encoding: Encoding): (chunk: Uint8Array) => Uint8Array {
  if (encoding === 'utf-8') return (chunk) => chunk;
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  return (chunk) => encoder.encode(decoder.decode(chunk, { stream: true }));
}

function gunzip(bytes: Uint8Array): Uint8Array {
  const limit = Math.min(
    MOST_UNPACKED,
    Math.max(LEAST_UNPACKED_LIMIT, bytes.length * UNPACKED_PER_BYTE),
  );
  try {
    return gunzipSync(bytes, { maxOutputLength: limit });
  } catch (cause) {
    if (cause instanceof RangeError || isCode(cause, 'ERR_BUFFER_TOO_LARGE')) {
      throw new Failure('broken-profile', {
        what: 'This gzip file is not unpacked',
        why: `It would be more than ${formatBytes(limit)}`,
        fix: 'Unpack it yourself if you trust it, then give what is in it',
        cause,
      });
    }
    throw brokenProfile('It begins as a gzip file, but cannot be unpacked', undefined, cause);
  }
}

function isCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}
