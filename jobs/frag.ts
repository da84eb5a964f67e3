import * as z from 'zod';
import { holderName } from '../src/allocator/holder-name.ts';
import { causeOf } from '../src/allocator/waste-cause.ts';
import type { HeldClass } from '../src/allocator/waste-shares.ts';
import { requireKnownOptions } from '../src/command.ts';
import { MEDIAN_READINGS, wasteTrend } from '../src/digest/trend.ts';
import { Failure, toFailure } from '../src/failure.ts';
import { formatBytes, formatUtc } from '../src/format.ts';
import type { OutgoingFile } from '../src/ports.ts';
import type { Profile } from '../src/profile/profile.ts';
import type { Reading } from '../src/reading.ts';
import { fragHead, fragTail } from '../templates/message/frag.ts';
import { type FragAnswer, fragFinding } from '../templates/message/frag-words.ts';
import type { Job, JobContext, Reply, ReplyPicture } from './job.ts';
import { readIndex, readSize, readSpan } from './option-words.ts';
import { readTarget } from './target-words.ts';
import { classesFile, stacksFile } from './waste/files.ts';
import { measureWaste, type WasteMeasurement } from './waste/measure.ts';
import { toReading, toWasteProfile } from './waste/reading.ts';

const Args = z.object({
  target: z.string().min(1),
  /** Objects older than this hold slabs. */
  minAgeNs: z.number().nonnegative(),
  /** Classes with less waste are not listed. */
  minWasteBytes: z.number().nonnegative(),
  arena: z.number().int().optional(),
  includesDedicated: z.boolean(),
});
type Args = z.infer<typeof Args>;

/** As in ClickHouse's own statement. */
export const DEFAULT_MIN_AGE_NS = 60e9;
const DEFAULT_MIN_WASTE = '1MiB';

export const frag: Job = {
  name: 'frag',
  summary: 'Show what lies waste in the slabs of a server, and who holds it',
  usage: 'frag <target> [age:60s] [min:1MiB] [arena:<n>] [include:dedicated]',
  example: 'frag prod age:1h',
  isRestricted: false,
  runsInShell: true,
  read(command) {
    requireKnownOptions(frag, command, ['on', 'age', 'min', 'arena', 'include']);
    const { target } = readTarget(command, frag);
    const { age, min, arena, include } = command.options;
    if (include !== undefined && include !== 'dedicated') throw badInclude(include);
    const args: Args = {
      target,
      minAgeNs: age === undefined ? DEFAULT_MIN_AGE_NS : readSpan('age', age) * 1e6,
      minWasteBytes: readSize('min', min ?? DEFAULT_MIN_WASTE),
      includesDedicated: include === 'dedicated',
      ...(arena === undefined ? {} : { arena: readIndex('arena', arena) }),
    };
    return { args };
  },
  async run(raw, context) {
    const args = Args.parse(raw);
    const { target, minAgeNs, arena, includesDedicated } = args;
    const measurement = await measureWaste(
      {
        ...{ target, minAgeNs, includeDedicated: includesDedicated },
        ...(arena === undefined ? {} : { arena }),
      },
      context,
    );
    requireArena(args, measurement);
    const history = isWhole(args) ? await readHistory(measurement, context) : undefined;
    return toReply(args, measurement, history, context);
  },
};

/** Only readings of a whole server are kept and compared; a part of it has no history. */
function isWhole({ arena, includesDedicated }: Args): boolean {
  return arena === undefined && !includesDedicated;
}

/** Earlier readings, newest first; undefined where none are kept or the store is away. */
async function readHistory(
  { target, readAtMicros }: WasteMeasurement,
  { ports, progress }: JobContext,
): Promise<readonly Reading[] | undefined> {
  if (ports.store === undefined) return undefined;
  progress('comparing with earlier readings');
  try {
    return await ports.store.readings({
      ...{ target, kind: 'frag', beforeMicros: readAtMicros },
      limit: MEDIAN_READINGS,
    });
  } catch (thrown) {
    // An answer without a trend is an answer.
    if (toFailure(thrown).kind === 'bug') throw thrown;
    return undefined;
  }
}

function toReply(
  args: Args,
  measurement: WasteMeasurement,
  history: readonly Reading[] | undefined,
  { investigationId, askedBy }: JobContext,
): Reply {
  const { fragmentation, readAtMicros, symbolSource, gaps } = measurement;
  const bare = toReading(measurement, { investigationId, finding: '' });
  const cause = causeOf(fragmentation);
  const answer: FragAnswer = {
    ...{ target: args.target, minAgeNs: args.minAgeNs, minWasteBytes: args.minWasteBytes },
    ...{ fragmentation, symbolSource, missing: gaps, readAtMicros, investigationId, askedBy },
    trend: wasteTrend(bare, history ?? []),
    hasStore: history !== undefined,
    ...(history?.[0] === undefined ? {} : { previous: history[0] }),
    ...(cause === undefined ? {} : { cause }),
  };
  const finding = fragFinding(answer);
  const profile = toWasteProfile(measurement);
  return {
    finding,
    head: fragHead(answer),
    tail: fragTail(answer),
    pictures: fragmentation.waste.totalWasteBytes === 0 ? [] : [picture(answer, profile)],
    threadPictures: [],
    files: filesOf(measurement),
    json: toJson(answer),
    ...(isWhole(args) ? { keep: { reading: { ...bare, finding }, profile } } : {}),
  };
}

function picture(answer: FragAnswer, profile: Profile): ReplyPicture {
  const { target, fragmentation, readAtMicros } = answer;
  const { totalWasteBytes } = fragmentation.waste;
  return {
    name: 'frag-waste',
    title: `Slab waste of ${target}`,
    alt: fragFinding(answer),
    request: {
      kind: 'waste',
      profile,
      classes: fragmentation.waste.classes.filter(({ wasteBytes }) => wasteBytes > 0),
      text: {
        title: `Slab waste by holder · ${target}`,
        subtitle: `${formatBytes(totalWasteBytes)} of waste · ${formatUtc(readAtMicros)}`,
        footer: [`Investigation ${answer.investigationId}`],
      },
    },
  };
}

function filesOf(measurement: WasteMeasurement): readonly OutgoingFile[] {
  if (measurement.fragmentation.waste.totalWasteBytes === 0) return [];
  return [stacksFile(measurement.target, measurement.fragmentation), classesFile(measurement)];
}

function toJson(answer: FragAnswer): Reply['json'] {
  const { fragmentation, trend } = answer;
  const { waste, shares, binSource, holderSource } = fragmentation;
  return {
    target: answer.target,
    readAt: new Date(answer.readAtMicros / 1000).toISOString(),
    source: binSource,
    holderSource,
    symbolSource: answer.symbolSource,
    totalWasteBytes: waste.totalWasteBytes,
    dedicatedWasteBytes: waste.dedicatedWasteBytes,
    attributedShare: fragmentation.attributedShare,
    shareOfActive: fragmentation.shareOfActive ?? null,
    shareOfRss: fragmentation.shareOfRss ?? null,
    samplingIntervalBytes: fragmentation.samplingIntervalBytes ?? null,
    minAgeNs: answer.minAgeNs,
    ages: fragmentation.ages,
    classes: shares.classes.filter(({ wasteBytes }) => wasteBytes > 0).map(toJsonClass),
    trend: {
      changeBytes: trend.changeBytes ?? null,
      medianBytes: trend.medianBytes ?? null,
      previousAt:
        trend.previous === undefined
          ? null
          : new Date(trend.previous.atMicros / 1000).toISOString(),
      isRestarted: trend.isRestarted,
      vanishedArenas: trend.vanishedArenas,
    },
    cause:
      answer.cause === undefined
        ? null
        : { rule: answer.cause.name, cause: answer.cause.cause, tryNext: answer.cause.tryNext },
    racedBins: waste.racedBins,
    notRead: answer.missing.map(({ what, failure }) => ({
      what,
      code: failure.code,
      why: failure.message,
    })),
  };
}

const HOLDERS_IN_JSON = 10;

function toJsonClass(held: HeldClass) {
  return {
    arena: held.arena ?? null,
    purpose: held.purpose,
    sizeBytes: held.sizeBytes,
    wasteBytes: held.wasteBytes,
    liveBytes: held.liveBytes,
    utilisation: held.utilisation,
    slabs: held.slabCount,
    nonfullSlabs: held.nonfullSlabs ?? null,
    sampleCount: held.sampleCount,
    evidence: held.evidence,
    holders: held.holders.slice(0, HOLDERS_IN_JSON).map((holder) => ({
      name: holderName(holder.stack),
      wasteBytes: holder.wasteBytes,
      objectCount: holder.objectCount,
      sampleCount: holder.sampleCount,
      ages: holder.ages,
      stack: holder.stack,
    })),
  };
}

function requireArena({ target, arena }: Args, { bins }: WasteMeasurement): void {
  if (arena === undefined || bins.some((bin) => bin.arena === arena)) return;
  const known = [...new Set(bins.flatMap((bin) => (bin.arena === undefined ? [] : [bin.arena])))];
  throw new Failure('not-found', {
    what: `${target} has no arena ${arena}`,
    why:
      known.length === 0
        ? 'this server adds all arenas up'
        : `it has ${known.sort((a, b) => a - b).join(', ')}`,
    fix: 'Leave arena: out, or name one of these',
  });
}

function badInclude(typed: string): Failure {
  return new Failure('usage', {
    what: `There is nothing called ${typed} to include`,
    fix: 'Write include:dedicated to count the arenas of MergeTree metadata, caches and the like',
  });
}
