import * as z from 'zod';
import { requireKnownOptions } from '../src/command.ts';
import { Failure } from '../src/failure.ts';
import { formatCountOf } from '../src/format.ts';
import type { Profile } from '../src/profile/profile.ts';
import {
  type HeapAnswer,
  heapCoverage,
  heapFinding,
  heapHead,
  heapTail,
} from '../templates/message/heap.ts';
import { toFigures } from './figures.ts';
import { analyseHeap, type HeapAnalysis } from './heap/analysis.ts';
import { heapFiles } from './heap/files.ts';
import { filterText, toStackFilter } from './heap/filter-words.ts';
import { keptHeap } from './heap/kept.ts';
import { heapPictures } from './heap/pictures.ts';
import { type HeapReading, heapOfClickHouse, heapOfKeeper } from './heap/reading.ts';
import { sourceWords } from './heap/text.ts';
import type { Job, JobContext, Kept, Reply } from './job.ts';
import { isKeeper } from './sources.ts';
import { readTarget } from './target-words.ts';

const Args = z.object({
  target: z.string().min(1),
  measure: z.enum(['bytes', 'count']),
  hasInlines: z.boolean(),
  focus: z.string().optional(),
  ignore: z.string().optional(),
  /** An investigation whose kept heap is drawn again; the server is not asked. */
  from: z.string().optional(),
});
type Args = z.infer<typeof Args>;

export const heap: Job = {
  name: 'heap',
  summary: 'Show what is live in the heap of a server now, and who allocated it',
  usage:
    'heap <target> [by:bytes|count] [inline:off] [focus:<function>] [ignore:<function>] [from:<investigation>]',
  example: 'heap prod',
  isRestricted: false,
  runsInShell: true,
  read(command) {
    requireKnownOptions(heap, command, ['on', 'by', 'inline', 'focus', 'ignore', 'from']);
    const { by, inline, focus, ignore, from } = command.options;
    const args: Args = {
      target: readTarget(command, heap).target,
      measure: oneOf('by', by ?? 'bytes', ['bytes', 'count']),
      hasInlines: oneOf('inline', inline ?? 'on', ['on', 'off']) === 'on',
      ...(focus === undefined ? {} : { focus }),
      ...(ignore === undefined ? {} : { ignore }),
      ...(from === undefined ? {} : { from }),
    };
    // What cannot be read is said now, not by the worker.
    toStackFilter(args);
    return { args };
  },
  async run(raw, context) {
    const args = Args.parse(raw);
    const reading = await readHeap(args, context);
    context.progress('summing up');
    return toReply(args, reading, context);
  },
};

function oneOf<Value extends string>(
  option: string,
  typed: string,
  values: readonly Value[],
): Value {
  const found = values.find((value) => value === typed.toLowerCase());
  if (found !== undefined) return found;
  throw new Failure('usage', {
    what: `${option}:${typed} is none of ${values.join(', ')}`,
    fix: `Usage: ${heap.usage}`,
  });
}

function readHeap(args: Args, context: JobContext): Promise<HeapReading> {
  if (args.from !== undefined) return keptHeap(args.target, args.from, context);
  return isKeeper(args.target, context)
    ? heapOfKeeper(args.target, context)
    : heapOfClickHouse(args, context);
}

function toReply(args: Args, reading: HeapReading, context: JobContext): Reply {
  const analysis = analyseHeap(reading.profile, args.measure, {
    ...toStackFilter(args),
    subsystemRules: context.ports.subsystemRules,
  });
  const answer = toAnswer(args, { reading, analysis }, context);
  return {
    finding: heapFinding(answer),
    head: heapHead(answer),
    tail: heapTail(answer),
    ...heapPictures(answer, analysis.profile),
    files: heapFiles(args.target, reading),
    ...(args.from === undefined ? { keep: toKept(answer, reading) } : {}),
    json: toJson(answer, analysis),
  };
}

function toAnswer(
  args: Args,
  { reading, analysis }: { readonly reading: HeapReading; readonly analysis: HeapAnalysis },
  context: JobContext,
): HeapAnswer {
  const { profile } = analysis;
  const filter = filterText(args);
  return {
    target: args.target,
    server: isKeeper(args.target, context) ? 'keeper' : 'clickhouse',
    measure: args.measure,
    source: sourceWords(reading.source),
    totalBytes: profile.totalBytes,
    totalCount: profile.totalCount,
    wholeBytes: reading.profile.totalBytes,
    ...(filter === undefined ? {} : { filter }),
    sampleCount: profile.sampleCount,
    samplingIntervalBytes: profile.samplingIntervalBytes,
    figures: reading.figures,
    classRoundingBytes: reading.classRoundingBytes,
    isProfiledGlobally: reading.isProfiledGlobally,
    subsystems: analysis.subsystems,
    sites: analysis.sites,
    missing: reading.gaps,
    notes: [...reading.notes, ...skippedNotes(profile)],
    readAtMicros: reading.readAtMicros,
    investigationId: context.investigationId,
    // Where nothing is kept there is nothing to draw again.
    keptAs: context.ports.store === undefined ? undefined : (args.from ?? context.investigationId),
    askedBy: context.askedBy,
  };
}

function skippedNotes({ skippedLines, firstSkipped }: Profile): readonly string[] {
  if (skippedLines === 0) return [];
  const lines = firstSkipped.map(({ lineNumber, why }) => `line ${lineNumber}: ${why}`);
  return [
    `Left out of the profile: ${formatCountOf(skippedLines, 'line')} that made no sense (${lines.join('; ')})`,
  ];
}

function toKept(
  answer: HeapAnswer,
  { profile, figures, readAtMicros, startedAtMicros }: HeapReading,
): Kept {
  const { investigationId, target } = answer;
  return {
    profile,
    reading: {
      ...{ investigationId, target, kind: 'heap', subject: '', atMicros: readAtMicros },
      ...(startedAtMicros === undefined ? {} : { serverStartedAtMicros: startedAtMicros }),
      finding: heapFinding(answer),
      figures: { ...toFigures(figures), estimateBytes: Math.round(profile.totalBytes) },
      arenas: [],
      wasteClasses: [],
      queryPeaks: [],
    },
  };
}

function toJson(answer: HeapAnswer, { sites, subsystems }: HeapAnalysis): Reply['json'] {
  const { figures } = answer;
  return {
    target: answer.target,
    readAt: new Date(answer.readAtMicros / 1000).toISOString(),
    source: answer.source,
    measure: answer.measure,
    filter: answer.filter ?? null,
    totalBytes: answer.totalBytes,
    totalCount: answer.totalCount,
    allocatedBytes: figures.allocated?.bytes ?? null,
    classRoundingBytes: answer.classRoundingBytes ?? null,
    activeBytes: figures.active?.bytes ?? null,
    residentBytes: figures.resident?.bytes ?? null,
    rssBytes: figures.rss?.bytes ?? null,
    coverage: heapCoverage(answer) ?? null,
    sampleCount: answer.sampleCount ?? null,
    samplingIntervalBytes: answer.samplingIntervalBytes ?? null,
    isProfiledGlobally: answer.isProfiledGlobally ?? null,
    subsystems,
    rows: sites,
    notRead: answer.missing.map(({ what, failure }) => ({
      what,
      code: failure.code,
      why: failure.message,
    })),
    notes: answer.notes,
  };
}
