import * as z from 'zod';
import type { Capabilities } from '../src/capabilities.ts';
import { requireKnownOptions } from '../src/command.ts';
import { Failure } from '../src/failure.ts';
import { adviceFor } from '../src/profile/rules/advice-rules.ts';
import { subsystemShares } from '../src/profile/subsystem-shares.ts';
import { classify } from '../src/profile/subsystems.ts';
import { topSites } from '../src/profile/top.ts';
import { trim } from '../src/profile/trim.ts';
import type { Bytes } from '../src/units.ts';
import {
  mainHolder,
  type PeakAnswer,
  peakCoverage,
  peakFinding,
  peakHead,
  peakTail,
} from '../templates/message/peak.ts';
import { statsText } from '../templates/sql/stats-text.ts';
import { type Ask, createAsk } from './ask.ts';
import { createGaps, type Gap } from './gaps.ts';
import type { CommandWords, Job, JobContext, Kept, Reading, Reply } from './job.ts';
import { type FoundQuery, findQuery } from './peak/find.ts';
import { type Measured, measureQuery } from './peak/measure.ts';
import { peakPictures } from './peak/pictures.ts';
import { type NamedStacks, nameStacks } from './peak/stacks.ts';
import { readCapabilities } from './probe.ts';
import { profileFiles } from './profile-files.ts';

const Args = z.object({
  target: z.string().min(1),
  queryId: z.string().min(1).max(1000),
});
type Args = z.infer<typeof Args>;

const SHOWN_SITES = 7;

export const peak: Job = {
  name: 'peak',
  summary: 'Show what held the memory of a query at its peak',
  usage: 'peak <query_id> [on:<target>]',
  example: 'peak 8678d8fe-9e1c-4c36-8d1f-0a2b3c4d5e6f on:prod',
  isRestricted: false,
  runsInShell: true,
  read(command) {
    requireKnownOptions(peak, command, ['on']);
    return readWords(command);
  },
  async run(raw, context) {
    return investigatePeak(Args.parse(raw), context);
  },
};

/** What held the memory of a query that has ended; also what `run` ends with. */
export async function investigatePeak(args: Args, context: JobContext): Promise<Reply> {
  const { target, queryId } = args;
  context.progress(`looking for the query on ${target}`);
  const query = await findQuery(target, queryId, context);
  const gaps = createGaps();
  const ask = createAsk(target, context, gaps);
  const capabilities = await withInterval(await readCapabilities(ask), ask);
  const probed = gaps.all().length;
  const measured = await measureQuery(target, { query, capabilities }, context);
  context.progress('naming functions');
  const named = await nameStacks(measured, ask);
  context.progress('summing up');
  // What the probe was not told is no matter once the samples were read.
  const missing = gaps.all().slice(probed);
  return toReply({ args, query, capabilities, measured, named, missing }, context);
}

/** The one query id in whatever was pasted: itself, a line of a log, a client's answer. */
function readWords({ words, options }: CommandWords): Reading {
  const [typed] = words;
  if (typed === undefined) {
    throw new Failure('usage', {
      what: 'peak needs the id of a query',
      why: 'query_log calls it query_id, and clients print it as "Query id"',
      fix: `Usage: ${peak.usage}`,
    });
  }
  const queryId = words.map((word) => UUID.exec(word)?.[0]).find(Boolean) ?? bareId(typed);
  if (queryId === '') {
    throw new Failure('usage', {
      what: `${typed} is no id of a query`,
      fix: `Usage: ${peak.usage}`,
    });
  }
  const target = options.on;
  const isPlain = queryId === typed && words.length === 1;
  return {
    args: { queryId, ...(target === undefined ? {} : { target }) },
    ...(isPlain ? {} : { understood: `Read as query ${queryId}` }),
  };
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** Ids are free text that clients choose, so only what people put round one is taken off. */
function bareId(typed: string): string {
  return typed.replace(/^query[_ -]?id[:=]\s*/i, '').replace(/^[("'`[{]+|[)"'`\]},.;]+$/g, '');
}

/** The interval that is in force; the allocator's own statistics tell it where metrics do not. */
async function withInterval(capabilities: Capabilities, ask: Ask): Promise<Capabilities> {
  if (capabilities.isIntervalInForce) return capabilities;
  const rows = await ask('the sampling interval', statsText, {});
  const lg = /\bprof\.lg_sample: (\d+)/.exec(rows?.[0]?.stats ?? '')?.[1];
  return lg === undefined
    ? capabilities
    : { ...capabilities, samplingIntervalBytes: 2 ** Number(lg) };
}

interface Found {
  readonly args: Args;
  readonly query: FoundQuery;
  readonly capabilities: Capabilities;
  readonly measured: Measured;
  readonly named: NamedStacks;
  readonly missing: readonly Gap[];
}

function toReply(found: Found, context: JobContext): Reply {
  const { query, measured, named } = found;
  const answer = toAnswer(found, context);
  return {
    finding: peakFinding(answer),
    head: peakHead(answer),
    tail: peakTail(answer),
    ...peakPictures(answer, measured, named.profile),
    files: profileFiles(named.profile, {
      name: `peak-${query.queryId}`,
      title: `Live at the peak of ${query.queryId}`,
    }),
    keep: toKept(answer, found),
    json: toJson(answer, found),
  };
}

function toAnswer(
  { args, query, capabilities, measured, named, missing }: Found,
  context: JobContext,
): PeakAnswer {
  const { source, curve, peak: highest } = measured;
  const { tree } = named.profile;
  const subsystems = subsystemShares(
    { tree },
    'bytes',
    classify(tree, context.ports.subsystemRules),
  );
  const main = mainHolder({ subsystems });
  return {
    target: args.target,
    queryId: args.queryId,
    user: query.user,
    statement: query.statement,
    startMicros: query.startMicros,
    durationMs: query.durationMs,
    exceptionCode: query.exceptionCode,
    estimateBytes: Math.round(highest.liveBytes),
    serverPeakBytes: query.serverPeakBytes,
    peaks: curve.peaks,
    sampleType: source.traceType,
    liveSampleCount: named.profile.sampleCount ?? 0,
    sampleCount: source.sampleCount - source.freeCount,
    samplingIntervalBytes: intervalOf(source.intervalBytes),
    subsystems,
    sites: topSites(trim(tree), { limit: SHOWN_SITES }).filter(({ selfBytes }) => selfBytes > 0),
    advice: main === undefined ? undefined : adviceFor({ ...main, statement: query.statement }),
    missing,
    notes: [
      ...query.notes,
      ...source.notes,
      ...(measured.isCut ? [`Only the ${measured.stacks.length} largest stacks were read`] : []),
    ],
    symbolSource: named.symbolSource,
    serverVersion: capabilities.version,
    investigationId: context.investigationId,
    askedBy: context.askedBy,
  };
}

function intervalOf(intervalBytes: Bytes): Bytes | undefined {
  return intervalBytes === 0 ? undefined : intervalBytes;
}

function toKept(answer: PeakAnswer, { query, named }: Found): Kept {
  const { investigationId, target, startMicros, estimateBytes, serverPeakBytes } = answer;
  return {
    profile: named.profile,
    reading: {
      ...{ investigationId, target, kind: 'peak', subject: query.hash, atMicros: startMicros },
      finding: peakFinding(answer),
      figures: { estimateBytes, ...(serverPeakBytes > 0 ? { serverPeakBytes } : {}) },
      arenas: [],
      wasteClasses: [],
      queryPeaks: [],
    },
  };
}

function toJson(answer: PeakAnswer, { measured, query }: Found): Reply['json'] {
  const { curve } = measured;
  const at = (micros: number) => new Date(Math.round(micros / 1000)).toISOString();
  return {
    target: answer.target,
    queryId: answer.queryId,
    finding: peakFinding(answer),
    user: answer.user,
    statement: answer.statement,
    startedAt: at(answer.startMicros),
    durationMs: answer.durationMs,
    exceptionCode: answer.exceptionCode,
    estimateBytes: answer.estimateBytes,
    serverPeakBytes: answer.serverPeakBytes > 0 ? answer.serverPeakBytes : null,
    coverage: peakCoverage(answer) ?? null,
    /** Samples behind the estimate. */
    sampleCount: answer.liveSampleCount,
    sampledAllocations: answer.sampleCount,
    sampleType: answer.sampleType,
    samplingIntervalBytes: answer.samplingIntervalBytes ?? null,
    peakAt: at(measured.peak.atMicros),
    peaks: curve.peaks.map(({ atMicros, liveBytes }) => ({ at: at(atMicros), liveBytes })),
    curve: curve.points.map(({ atMicros, liveBytes }) => ({ at: at(atMicros), liveBytes })),
    subsystems: answer.subsystems.map(({ subsystem, bytes, count, share, samples }) => ({
      ...{ subsystem, bytes: Math.round(bytes), count, share, samples: samples ?? null },
    })),
    rows: answer.sites.map(({ name, selfBytes, totalBytes, selfCount, samples }) => ({
      ...{ name, selfBytes, totalBytes, selfCount, samples: samples ?? null },
    })),
    tryNext: answer.advice?.tryNext ?? null,
    symbolSource: answer.symbolSource,
    serverVersion: answer.serverVersion,
    normalizedQueryHash: query.hash,
    notes: answer.notes,
    notRead: answer.missing.map(({ what, failure }) => ({
      ...{ what, code: failure.code, why: failure.message },
    })),
  };
}
