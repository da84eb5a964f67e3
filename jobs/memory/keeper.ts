import { keeperHolders, parseKeeperWord } from '../../src/allocator/keeper-figures.ts';
import {
  figuresOfMetrics,
  figuresOfStats,
  type Metrics,
} from '../../src/allocator/memory-figures.ts';
import { parsePrometheusText } from '../../src/allocator/prometheus-text.ts';
import { parseStatsText } from '../../src/allocator/stats-text.ts';
import type { KeeperWord } from '../../src/ports.ts';
import { createGaps, nothingLeft } from '../gaps.ts';
import type { JobContext } from '../job.ts';
import { exposedNote, statsTextOfKeeper } from '../keeper-text.ts';
import { requireSources } from '../sources.ts';
import type { MemoryReading } from './reading.ts';

/** Reads a Keeper's account of its memory: jemalloc's text, what its words say it holds, its metrics endpoint. */
export async function memoryOfKeeper(target: string, context: JobContext): Promise<MemoryReading> {
  const { keeper, metrics } = requireSources(context);
  const gaps = createGaps();
  const { signal } = context;
  context.progress('reading the allocator');
  const text = await gaps.attempt("the allocator's own statistics", () =>
    statsTextOfKeeper(target, context),
  );
  const stats =
    text === undefined
      ? undefined
      : await gaps.attempt("the allocator's own statistics", async () => parseStatsText(text));
  context.progress('reading what Keeper accounts for');
  const valuesOf = async (word: KeeperWord): Promise<ReadonlyMap<string, number>> => {
    if (!keeper.ways(target).hasWords) return new Map();
    const answer = await gaps.attempt(`the word ${word}`, () =>
      keeper.word(target, word, { signal }),
    );
    return parseKeeperWord(answer ?? '');
  };
  const mntr = await valuesOf('mntr');
  const lgif = await valuesOf('lgif');
  const measured: Metrics | undefined = metrics.isConfigured(target)
    ? await gaps.attempt('the metrics endpoint', async () =>
        parsePrometheusText(await metrics.read(target, { signal }), target),
      )
    : undefined;
  if (stats === undefined && measured === undefined) {
    throw nothingLeft(
      `Keeper ${target} says nothing of its memory that memprof can read`,
      gaps.all(),
    );
  }
  return {
    facts: {
      server: 'keeper',
      figures: {
        ...(measured === undefined
          ? {}
          : figuresOfMetrics(measured, 'prometheus', stats?.pageBytes)),
        ...(stats === undefined ? {} : figuresOfStats(stats, "jemalloc's statistics")),
      },
      holders: keeperHolders([
        { source: 'mntr', values: mntr },
        { source: 'lgif', values: lgif },
        { source: 'prometheus', values: measured ?? new Map() },
      ]),
      pageBytes: stats?.pageBytes,
      stats,
      growth: undefined,
    },
    readAtMicros: context.ports.clock.nowMicros(),
    history: undefined,
    statsText: text,
    gaps: gaps.all(),
    notes: exposedNote(target, context),
  };
}
