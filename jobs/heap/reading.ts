import type { Figures } from '../../src/allocator/memory-facts.ts';
import { figuresOfMetrics, figuresOfStats, metricKey } from '../../src/allocator/memory-figures.ts';
import type { AllocatorStats } from '../../src/allocator/stats.ts';
import { parseStatsText } from '../../src/allocator/stats-text.ts';
import { Failure } from '../../src/failure.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { readProfile } from '../../src/readers/read-profile.ts';
import type { Bytes, EpochMicros } from '../../src/units.ts';
import { serverStart } from '../../templates/sql/frag-server.ts';
import { statsAsyncMetrics } from '../../templates/sql/stats-async-metrics.ts';
import { statsText } from '../../templates/sql/stats-text.ts';
import { abilitiesOf } from '../abilities.ts';
import { createAsk } from '../ask.ts';
import { createGaps, type Gap, type Gaps, nothingLeft } from '../gaps.ts';
import type { JobContext } from '../job.ts';
import { exposedNote, statsTextOfKeeper } from '../keeper-text.ts';
import { readCapabilities } from '../probe.ts';
import { requireSources } from '../sources.ts';
import { flushedDumpOf, type HeapWanted, profileTextOf } from './clickhouse.ts';
import { controlPageOf, keeperDumpOf } from './keeper.ts';
import type { HeapSource, HeapText } from './text.ts';
import { traceProfileOf } from './trace.ts';

/** All that `heap` read of one target: the heap once, and the allocator's own figures beside it. */
export interface HeapReading {
  readonly profile: Profile;
  readonly source: HeapSource;
  /** The heap as it came; undefined for rows. */
  readonly text: HeapText | undefined;
  readonly figures: Figures;
  /** What profiles count more than `allocated` does: they take each large allocation for its whole size class. */
  readonly classRoundingBytes: Bytes | undefined;
  readonly isProfiledGlobally: boolean | undefined;
  readonly readAtMicros: EpochMicros;
  readonly startedAtMicros: EpochMicros | undefined;
  readonly gaps: readonly Gap[];
  readonly notes: readonly string[];
}

/** What a stream broken in the middle is told by; the next source may still do. */
const STREAM_BROKEN = 'target-unreachable';
const STATISTICS = "the allocator's own statistics";
const DEFAULT_INTERVAL: Bytes = 2 ** 19;

interface Beside {
  readonly figures: Figures;
  readonly classRoundingBytes: Bytes | undefined;
  readonly isProfiledGlobally: boolean | undefined;
  readonly samplingIntervalBytes: Bytes | undefined;
  readonly startedAtMicros: EpochMicros | undefined;
}

/** The live heap of a ClickHouse server from the best source that it has; each source is read once at most. */
export async function heapOfClickHouse(
  wanted: HeapWanted,
  context: JobContext,
): Promise<HeapReading> {
  const { target } = wanted;
  const besideGaps = createGaps();
  context.progress('reading the allocator');
  const beside = await besideClickHouse(target, context, besideGaps);
  const gaps = createGaps([STREAM_BROKEN, 'no-samples']);
  context.progress('reading the live heap');
  const readAtMicros = context.ports.clock.nowMicros();
  const heap =
    (await gaps.attempt('system.jemalloc_profile_text', async () =>
      parsed(await profileTextOf(wanted, context)),
    )) ??
    (await gaps.attempt('a flushed dump', async () =>
      parsed(await flushedDumpOf(wanted, context)),
    )) ??
    (await gaps.attempt('trace_log', async () => ({
      text: undefined,
      profile: await traceProfileOf(
        target,
        beside.samplingIntervalBytes ?? DEFAULT_INTERVAL,
        context,
      ),
    })));
  if (heap === undefined) throw await unreadableHeap(target, gaps.all(), context);
  const { text, profile } = heap;
  return {
    ...{ profile, source: text?.source ?? 'trace_log', text, readAtMicros },
    ...beside,
    gaps: [...gaps.all(), ...besideGaps.all()],
    notes: [...(text?.notes ?? []), ...profile.notes],
  };
}

/** What is no profile, or a broken one, is as good as none: the next source may do. */
function parsed(text: HeapText): { readonly text: HeapText; readonly profile: Profile } {
  return { text, profile: readProfile(text.bytes) };
}

/** Where the server lacks what it takes, what can be done instead is told from what it has. */
async function unreadableHeap(
  target: string,
  gaps: readonly Gap[],
  context: JobContext,
): Promise<Failure> {
  const failure = nothingLeft(`The live heap of ${target} cannot be read`, gaps);
  if (failure.kind !== 'feature-missing') return failure;
  const capabilities = await readCapabilities(createAsk(target, context, createGaps()));
  const says = abilitiesOf(capabilities).find(({ verb }) => verb === 'heap')?.says ?? [];
  const { kind, what, why = '' } = failure;
  return new Failure(kind, { what, why, fix: says.join('. '), cause: failure });
}

async function besideClickHouse(target: string, context: JobContext, gaps: Gaps): Promise<Beside> {
  const ask = createAsk(target, context, gaps);
  const measured = new Map(
    (await ask("the server's measurements", statsAsyncMetrics, {}))?.map(({ metric, value }) => [
      metricKey(metric),
      value,
    ]),
  );
  const text = (await ask(STATISTICS, statsText, {}))?.[0]?.stats;
  return {
    ...besideOf(
      await parseStats(text, gaps),
      figuresOfMetrics(measured, 'asynchronous_metrics', undefined),
    ),
    startedAtMicros: (await ask('the start of the server', serverStart, {}))?.[0]?.startedAtMicros,
  };
}

/** The live heap of a Keeper. */
export async function heapOfKeeper(target: string, context: JobContext): Promise<HeapReading> {
  const besideGaps = createGaps();
  context.progress('reading the allocator');
  const statsAnswer = await besideGaps.attempt(STATISTICS, () =>
    statsTextOfKeeper(target, context),
  );
  const stats = await parseStats(statsAnswer, besideGaps);
  const gaps = createGaps([STREAM_BROKEN]);
  context.progress('reading the live heap');
  const readAtMicros = context.ports.clock.nowMicros();
  const { hasControl, hasWords } = requireSources(context).keeper.ways(target);
  const page = hasControl
    ? await gaps.attempt('the HTTP control', async () =>
        parsed(await controlPageOf(target, context)),
      )
    : undefined;
  const heap =
    page ??
    (hasWords
      ? await gaps.attempt('a flushed dump', async () =>
          parsed(await keeperDumpOf(target, context)),
        )
      : undefined);
  if (heap === undefined) {
    throw nothingLeft(`The live heap of Keeper ${target} cannot be read`, gaps.all());
  }
  const { text, profile } = heap;
  return {
    ...{ profile, source: text.source, text, readAtMicros, startedAtMicros: undefined },
    ...besideOf(stats, {}),
    gaps: [...gaps.all(), ...besideGaps.all()],
    notes: [...text.notes, ...profile.notes, ...exposedNote(target, context)],
  };
}

function parseStats(text: string | undefined, gaps: Gaps): Promise<AllocatorStats | undefined> {
  if (text === undefined) return Promise.resolve(undefined);
  return gaps.attempt(STATISTICS, async () => parseStatsText(text));
}

function besideOf(
  stats: AllocatorStats | undefined,
  measured: Figures,
): Omit<Beside, 'startedAtMicros'> {
  const nothing = {
    isProfiledGlobally: undefined,
    samplingIntervalBytes: undefined,
    classRoundingBytes: undefined,
  };
  if (stats === undefined) return { figures: measured, ...nothing };
  const { options } = stats;
  const lgSample = Number(options['prof.lg_sample'] ?? options['opt.lg_prof_sample']);
  const isOn = options['prof.thread_active_init'];
  return {
    figures: { ...measured, ...figuresOfStats(stats, "jemalloc's statistics") },
    classRoundingBytes: classRoundingOf(stats),
    isProfiledGlobally: isOn === undefined ? undefined : isOn === 'true',
    samplingIntervalBytes: lgSample > 0 ? 2 ** lgSample : undefined,
  };
}

/**
 * Since jemalloc 5.3.1 a large request is rounded to a page (opt.disable_large_size_classes), while classes and
 * profiles, which are un-biased by class (jemalloc, src/prof_data.c), still count the class above.
 */
function classRoundingOf({ merged }: AllocatorStats): Bytes {
  const byClass = merged.largeClasses.reduce((sum, row) => sum + row.classBytes, 0);
  return Math.max(0, byClass - merged.large.allocatedBytes);
}
