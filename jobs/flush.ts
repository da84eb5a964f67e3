import * as z from 'zod';
import { readDumpName } from '../src/allocator/dump-name.ts';
import { requireKnownOptions } from '../src/command.ts';
import { Failure, toFailure } from '../src/failure.ts';
import type { DumpFile } from '../src/ports.ts';
import {
  type FlushAnswer,
  flushFinding,
  flushHead,
  flushTail,
} from '../templates/message/flush.ts';
import { FLUSH_DEADLINE_MS, flushDump, pathIn } from './flush-dump.ts';
import type { Job, JobContext, Reply } from './job.ts';
import { isKeeper, requireSources } from './sources.ts';
import { readTarget } from './target-words.ts';

const formats = ['symbolized', 'raw', 'collapsed'] as const;

const Args = z.object({ target: z.string().min(1), format: z.enum(formats) });
type Args = z.infer<typeof Args>;

export const flush: Job = {
  name: 'flush',
  summary: 'Write the live heap of a server to a file on its disk, and say where',
  usage: 'flush <target> [format:symbolized|raw|collapsed]',
  example: 'flush prod',
  // It writes on the server's disk.
  isRestricted: true,
  runsInShell: true,
  read(command) {
    requireKnownOptions(flush, command, ['on', 'format']);
    const { target } = readTarget(command, flush);
    const format = (command.options.format ?? formats[0]).toLowerCase();
    const args = Args.safeParse({ target, format });
    if (args.success) return { args: args.data };
    throw new Failure('usage', {
      what: `flush has no format ${format}`,
      why: `it has ${formats.join(', ')}`,
      fix: `Usage: ${flush.usage}`,
    });
  },
  async run(raw, context) {
    const { target, format } = Args.parse(raw);
    context.progress('writing the heap dump');
    const server = isKeeper(target, context) ? 'keeper' : 'clickhouse';
    const { path, notes } =
      server === 'keeper'
        ? await flushKeeper(target, context)
        : await flushClickHouse({ target, format }, context);
    const beside = await leftoversOf(target, path, context);
    return toReply({
      target,
      server,
      path,
      dump: path === undefined ? undefined : readDumpName(path),
      leftovers: beside.files,
      notes: [...notes, ...beside.notes],
      investigationId: context.investigationId,
      askedBy: context.askedBy,
    });
  },
};

interface Written {
  readonly path: string | undefined;
  readonly notes: readonly string[];
}

async function flushKeeper(target: string, context: JobContext): Promise<Written> {
  const { keeper } = requireSources(context);
  if (!keeper.ways(target).hasWords) {
    throw new Failure('feature-missing', {
      what: `Keeper ${target} cannot be told to write a dump by its HTTP control`,
      why: 'only the four-letter word jmfp does that, and the config names no client port',
      fix: `Set targets.${target}.fourLetterWords, or ask heap: it reads the profile and leaves no file`,
    });
  }
  const answer = await keeper.word(target, 'jmfp', {
    signal: context.signal,
    deadlineMs: FLUSH_DEADLINE_MS,
  });
  return { path: pathIn(answer), notes: [] };
}

async function flushClickHouse({ target, format }: Args, context: JobContext): Promise<Written> {
  const { path, formatRefusal } = await flushDump(target, format, context);
  const notes = [
    ...(formatRefusal === undefined
      ? []
      : [`The format was the server's choice: ${formatRefusal}`]),
    ...(path === undefined ? [BEFORE_25_9] : []),
  ];
  return { path, notes };
}

const BEFORE_25_9 =
  'Before 25.9 the profiler of the whole server has to be on: start it with MALLOC_CONF=background_thread:true,prof:true (up to 24.6) and run SYSTEM JEMALLOC ENABLE PROFILE; SYSTEM JEMALLOC DISABLE PROFILE ends it';

interface Leftovers {
  /** Undefined when memprof cannot look. */
  readonly files: readonly DumpFile[] | undefined;
  readonly notes: readonly string[];
}

/** Dumps beside the one at `path`. The dump is written by now, so nothing here fails the investigation. */
async function leftoversOf(
  target: string,
  path: string | undefined,
  context: JobContext,
): Promise<Leftovers> {
  const { dumps } = requireSources(context);
  if (!dumps.isConfigured(target)) return { files: undefined, notes: [] };
  const own = path?.slice(path.lastIndexOf('/') + 1);
  try {
    const files = await dumps.list(target);
    return { files: files.filter(({ name }) => name !== own), notes: [] };
  } catch (thrown) {
    return { files: undefined, notes: [toFailure(thrown).message] };
  }
}

function toReply(answer: FlushAnswer): Reply {
  const { target, path, dump, leftovers, notes } = answer;
  return {
    finding: flushFinding(answer),
    head: flushHead(answer),
    tail: flushTail(answer),
    pictures: [],
    threadPictures: [],
    files: [],
    json: {
      target,
      paths: path === undefined ? [] : [path],
      format: dump?.format ?? null,
      earlierDumps: leftovers?.length ?? dump?.earlierCount ?? null,
      leftovers: leftovers ?? null,
      notes,
    },
  };
}
