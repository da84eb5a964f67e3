import { readDumpName } from '../../src/allocator/dump-name.ts';
import { Failure, toFailure } from '../../src/failure.ts';
import type { Milliseconds } from '../../src/units.ts';
import { heapDumpFile, heapProfile } from '../../templates/sql/heap-profile.ts';
import { flushDump } from '../flush-dump.ts';
import type { JobContext } from '../job.ts';
import { requireSources } from '../sources.ts';
import { collectText, type HeapText } from './text.ts';

export interface HeapWanted {
  readonly target: string;
  /** Inlined functions as frames of their own: better names, for some ten seconds of the server's time. */
  readonly hasInlines: boolean;
}

/** Symbolizing with inlines takes about 10 s on a large binary (ClickHouse#93099), more on a busy server. */
const WITH_INLINES_MS: Milliseconds = 120_000;
const WITHOUT_INLINES_MS: Milliseconds = 60_000;

/** The live heap by SQL, with names and not yet scaled: memprof un-samples it itself, as not every age does. */
export async function profileTextOf(wanted: HeapWanted, context: JobContext): Promise<HeapText> {
  try {
    return { ...(await profileText(wanted, context)), notes: [leftoverNote(wanted.target)] };
  } catch (thrown) {
    const failure = toFailure(thrown);
    if (failure.kind !== 'query-timeout' || !wanted.hasInlines) throw failure;
    context.progress('reading the heap again, without inlined functions');
    return {
      ...(await profileText({ ...wanted, hasInlines: false }, context)),
      notes: [
        'Inlined functions are missing: the server did not name them in time',
        leftoverNote(wanted.target),
      ],
    };
  }
}

async function profileText(
  { target, hasInlines }: HeapWanted,
  { ports, signal }: JobContext,
): Promise<Pick<HeapText, 'source' | 'bytes'>> {
  const chunks = ports.clickhouse.bytes(
    target,
    heapProfile,
    {},
    {
      signal,
      deadlineMs: hasInlines ? WITH_INLINES_MS : WITHOUT_INLINES_MS,
      settings: {
        jemalloc_profile_text_output_format: 'symbolized',
        jemalloc_profile_text_symbolize_with_inline: hasInlines ? 1 : 0,
      },
    },
  );
  return { source: 'jemalloc_profile_text', bytes: await collectText(target, chunks) };
}

/** Many versions keep the dump of each read (ClickHouse#121634); it cannot be seen by SQL. */
function leftoverNote(target: string): string {
  return `The dump of this read may lie on ${target} still, as /tmp/jemalloc_clickhouse.<pid>.<number>.heap`;
}

/** A dump that the server flushes now, read from the folder that the config names or by the server itself. */
export async function flushedDumpOf(
  { target, hasInlines }: HeapWanted,
  context: JobContext,
): Promise<HeapText> {
  const { dumps } = requireSources(context);
  if (!dumps.isConfigured(target) && !dumps.isReadByServer(target)) {
    throw new Failure('feature-missing', {
      what: `The config does not say how to read the dumps that ${target} writes`,
      why: `neither targets.${target}.dumpFolder nor readDumpsByFile is set`,
      fix: 'Mount the folder of its dumps where memprof runs and set dumpFolder',
    });
  }
  const { path } = await flushDump(target, hasInlines ? 'symbolized' : 'raw', context);
  if (path === undefined) {
    throw new Failure('feature-missing', {
      what: `${target} wrote a dump but does not say where`,
      why: 'servers before 25.9 answer a flush with nothing',
      fix: 'Take the newest /tmp/jemalloc_clickhouse.<pid>.<number>.heap and give it to `memprof render`',
    });
  }
  const bytes = dumps.isConfigured(target)
    ? await dumps.read(target, path)
    : await collectText(target, serverFile(target, path, context));
  if (bytes === undefined) throw dumpNotFound(target, path);
  const { format } = readDumpName(path);
  const notes = [
    `The dump lies on ${target} as ${path}${format === 'raw' ? ', without names' : ''}`,
  ];
  return { source: 'flushed dump', bytes, path, notes };
}

function serverFile(target: string, path: string, { ports, signal }: JobContext) {
  return ports.clickhouse.bytes(target, heapDumpFile, { path }, { signal });
}

function dumpNotFound(target: string, path: string): Failure {
  return new Failure('not-found', {
    what: `The dump ${path} of ${target} is not in the folder that the config names`,
    fix: `Let targets.${target}.dumpFolder be the folder in which the server writes its dumps`,
  });
}
