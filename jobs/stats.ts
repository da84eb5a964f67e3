import * as z from 'zod';
import { type Ledger, ledgerOf } from '../src/allocator/ledger.ts';
import type { LedgerFinding } from '../src/allocator/ledger-rule.ts';
import { judge } from '../src/allocator/ledger-rules.ts';
import { requireKnownOptions } from '../src/command.ts';
import { toFailure } from '../src/failure.ts';
import { formatBytes, formatUtc } from '../src/format.ts';
import type { OutgoingFile } from '../src/ports.ts';
import type { Reading } from '../src/reading.ts';
import {
  type StatsAnswer,
  shortVersion,
  statsFinding,
  statsHead,
  statsTail,
} from '../templates/message/stats.ts';
import { toFigures } from './figures.ts';
import type { Job, JobContext, Reply, ReplyPicture } from './job.ts';
import { memoryOfClickHouse } from './memory/clickhouse.ts';
import { memoryOfKeeper } from './memory/keeper.ts';
import { memoryOfMetrics } from './memory/metrics.ts';
import type { MemoryReading } from './memory/reading.ts';
import { isKeeper, requireSources } from './sources.ts';
import { readTarget } from './target-words.ts';

const Args = z.object({
  target: z.string().min(1),
  /** Attach jemalloc's text as it came. */
  isRaw: z.boolean(),
  /** Read the Prometheus endpoint and nothing else. */
  isPrometheus: z.boolean(),
});
type Args = z.infer<typeof Args>;

export const stats: Job = {
  name: 'stats',
  summary: 'Account for the memory of a server, from RSS down to what nothing explains',
  usage: 'stats <target> [raw] [prometheus]',
  example: 'stats prod',
  isRestricted: false,
  runsInShell: true,
  read(command) {
    requireKnownOptions(stats, command, ['on']);
    const { target, modes } = readTarget(command, stats, ['raw', 'prometheus']);
    const args: Args = {
      target,
      isRaw: modes.includes('raw'),
      isPrometheus: modes.includes('prometheus'),
    };
    return { args };
  },
  async run(raw, context) {
    const args = Args.parse(raw);
    return toReply(args, await readMemory(args, context), context);
  },
};

async function readMemory(
  { target, isPrometheus }: Args,
  context: JobContext,
): Promise<MemoryReading> {
  if (isPrometheus) return memoryOfMetrics(target, context);
  try {
    return isKeeper(target, context)
      ? await memoryOfKeeper(target, context)
      : await memoryOfClickHouse(target, context);
  } catch (thrown) {
    const failure = toFailure(thrown);
    if (failure.kind !== 'target-unreachable') throw failure;
    if (!requireSources(context).metrics.isConfigured(target)) throw failure;
    const reading = await memoryOfMetrics(target, context);
    return { ...reading, gaps: [{ what: 'the server itself', failure }, ...reading.gaps] };
  }
}

function toReply(args: Args, reading: MemoryReading, context: JobContext): Reply {
  const { target } = args;
  const ledger = ledgerOf(reading.facts);
  const answer: StatsAnswer = {
    target,
    facts: reading.facts,
    ledger,
    findings: judge(reading.facts),
    missing: reading.gaps,
    notes: [...reading.notes, ...rawNotes(args, reading)],
    readAtMicros: reading.readAtMicros,
    investigationId: context.investigationId,
    askedBy: context.askedBy,
  };
  return {
    finding: statsFinding(answer),
    head: statsHead(answer),
    tail: statsTail(answer),
    pictures: ledger.levels.length === 0 ? [] : [ledgerPicture(answer, reading)],
    threadPictures: [],
    files: args.isRaw ? rawFiles(target, reading) : [],
    keep: { reading: toReading(answer, reading) },
    json: toJson(answer, reading),
  };
}

function toReading(
  answer: StatsAnswer,
  { facts, readAtMicros, startedAtMicros }: MemoryReading,
): Reading {
  return {
    investigationId: answer.investigationId,
    target: answer.target,
    kind: 'stats',
    subject: '',
    atMicros: readAtMicros,
    ...(startedAtMicros === undefined ? {} : { serverStartedAtMicros: startedAtMicros }),
    finding: statsFinding(answer),
    figures: toFigures(facts.figures),
    arenas: [],
    wasteClasses: [],
    queryPeaks: [],
  };
}

function rawFiles(target: string, { statsText }: MemoryReading): readonly OutgoingFile[] {
  if (statsText === undefined) return [];
  const bytes = new TextEncoder().encode(statsText);
  const title = `jemalloc's statistics of ${target}`;
  return [{ name: `${target}-jemalloc-stats.txt`, title, bytes }];
}

function rawNotes({ isRaw }: Args, { statsText }: MemoryReading): readonly string[] {
  if (!isRaw || statsText !== undefined) return [];
  return ["jemalloc's text could not be read here, so there is no file"];
}

function ledgerPicture(
  answer: StatsAnswer,
  { history, readAtMicros }: MemoryReading,
): ReplyPicture {
  const { target, ledger, facts } = answer;
  const [whole] = ledger.levels;
  const version =
    facts.stats === undefined ? [] : [`jemalloc ${shortVersion(facts.stats.version)}`];
  return {
    name: 'stats-ledger',
    title: `Memory of ${target}`,
    alt: statsFinding(answer),
    request: {
      kind: 'ledger',
      levels: ledger.levels,
      ...(history === undefined ? {} : { history }),
      text: {
        title: `Memory of ${target}`,
        subtitle: [
          ...(whole === undefined ? [] : [`${whole.name} ${formatBytes(whole.bytes)}`]),
          ...unexplainedWords(ledger),
          formatUtc(readAtMicros),
        ].join(' · '),
        footer: version,
      },
    },
  };
}

function unexplainedWords({ unexplainedBytes }: Ledger): readonly string[] {
  return unexplainedBytes === undefined ? [] : [`unexplained ${formatBytes(unexplainedBytes)}`];
}

function toJson(answer: StatsAnswer, reading: MemoryReading): Reply['json'] {
  const { target, ledger, findings } = answer;
  const { facts } = reading;
  return {
    target,
    readAt: new Date(reading.readAtMicros / 1000).toISOString(),
    server: facts.server,
    ledger: ledger.levels.flatMap((level) => [
      {
        level: level.name,
        kind: 'level',
        name: level.name,
        bytes: level.bytes,
        source: level.source,
      },
      ...level.parts.map((part) => ({ level: level.name, ...part })),
    ]),
    unexplainedBytes: ledger.unexplainedBytes ?? null,
    figures: facts.figures,
    pageBytes: facts.pageBytes ?? null,
    findings: findings.map((finding: LedgerFinding) => ({ ...finding })),
    history: reading.history ?? null,
    notRead: reading.gaps.map(({ what, failure }) => ({
      what,
      code: failure.code,
      why: failure.message,
    })),
    notes: answer.notes,
  };
}
