import { type Capabilities, tableState } from '../../src/capabilities.ts';
import { Failure } from '../../src/failure.ts';
import type { Bytes, Count } from '../../src/units.ts';
import type { countSamples } from '../../templates/sql/peak-samples.ts';
import type { FoundQuery } from './find.ts';

export type SampleCount = ReturnType<(typeof countSamples.row)['parse']>;

/** Which samples a peak is told from, and how one is scaled up. */
export interface SampleSource {
  /** As trace_log names it. */
  readonly traceType: 'JemallocSample' | 'MemorySample' | 'MemoryPeak' | 'Memory';
  /** Mean bytes between two samples; 0 when samples are not taken by bytes. */
  readonly intervalBytes: Bytes;
  /** What one sample stands for, when it is not taken by bytes. */
  readonly scale: number;
  /** False for rows without a pointer: what was freed cannot be told from what was not. */
  readonly isPaired: boolean;
  readonly sampleCount: Count;
  readonly freeCount: Count;
  readonly notes: readonly string[];
}

/** jemalloc's default, 512 KiB. */
const DEFAULT_INTERVAL_BYTES = 2 ** 19;

/** The best samples that a query left. Throws `no-samples` with how to run it again. */
export function chooseSource(
  counts: readonly SampleCount[],
  query: FoundQuery,
  target: { readonly name: string; readonly capabilities: Capabilities },
): SampleSource {
  const countOf = (type: string) => counts.find((row) => row.type === type && row.sampleCount > 0);
  const jemalloc = countOf('JemallocSample');
  if (jemalloc !== undefined) return jemallocSource(jemalloc, target.capabilities);
  const sample = countOf('MemorySample');
  if (sample !== undefined) return chanceSource(sample, query);
  const step = countOf('MemoryPeak') ?? countOf('Memory');
  if (step !== undefined) return stepSource(step);
  throw noSamples(query, target);
}

function jemallocSource(count: SampleCount, capabilities: Capabilities): SampleSource {
  const interval = capabilities.samplingIntervalBytes;
  return {
    traceType: 'JemallocSample',
    intervalBytes: interval ?? DEFAULT_INTERVAL_BYTES,
    scale: 1,
    ...shared(count),
    notes: [
      ...(interval === undefined
        ? [
            'The server does not tell its sampling interval; jemalloc’s default of 512 KiB is assumed, and all figures scale with it',
          ]
        : []),
      ...freeNotes(count),
    ],
  };
}

function chanceSource(count: SampleCount, { sampleProbability }: FoundQuery): SampleSource {
  const isKnown = sampleProbability !== undefined && sampleProbability > 0;
  return {
    traceType: 'MemorySample',
    intervalBytes: 0,
    scale: isKnown ? 1 / sampleProbability : 1,
    ...shared(count),
    notes: [
      isKnown
        ? `From MemorySample, not from jemalloc: each allocation was sampled by chance (memory_profiler_sample_probability = ${sampleProbability}), so large ones make the figures jump`
        : 'From MemorySample, not from jemalloc, and query_log does not tell memory_profiler_sample_probability: the figures are of the samples themselves, not of the memory they stand for',
      ...freeNotes(count),
    ],
  };
}

function stepSource(count: SampleCount): SampleSource {
  const traceType = count.type === 'Memory' ? 'Memory' : 'MemoryPeak';
  return {
    traceType,
    intervalBytes: 0,
    scale: 1,
    ...shared(count),
    isPaired: false,
    notes: [
      `From ${traceType}, which notes who made the query grow by a step of some MiB: who grew it is told, not who held it, and what was freed is not taken off`,
    ],
  };
}

function shared({ sampleCount, freeCount, pointerCount }: SampleCount) {
  return { sampleCount, freeCount, isPaired: pointerCount > 0 };
}

function freeNotes({ freeCount }: SampleCount): readonly string[] {
  if (freeCount > 0) return [];
  return [
    'No frees were recorded, so the curve can only rise, and what is called live at the peak may have been freed before',
  ];
}

const BY_JEMALLOC = `As URL settings:     jemalloc_enable_profiler=1&jemalloc_collect_profile_samples_in_trace_log=1
As client settings:  clickhouse-client --jemalloc_enable_profiler 1 --jemalloc_collect_profile_samples_in_trace_log 1`;

const BY_CHANCE = `As URL settings:     memory_profiler_sample_probability=0.05&max_untracked_memory=0
As client settings:  clickhouse-client --memory_profiler_sample_probability 0.05 --max_untracked_memory 0`;

function noSamples(
  query: FoundQuery,
  { name, capabilities }: { readonly name: string; readonly capabilities: Capabilities },
): Failure {
  const state = tableState(capabilities, 'trace_log');
  const what = `Query ${query.queryId} left no memory samples on ${name}`;
  if (state === 'absent') {
    return new Failure('no-samples', {
      what,
      why: 'the server has no system.trace_log',
      fix: 'Add the default <trace_log> section to its config and restart it, then run the query again with these settings, not inside the SQL',
      paste: settingsFor(capabilities),
    });
  }
  if (query.ending === 'ExceptionBeforeStart') {
    return new Failure('no-samples', {
      what,
      why: `it failed before it ran, with code ${query.exceptionCode}`,
      fix: 'Correct the query; there was nothing to measure',
    });
  }
  return new Failure('no-samples', {
    what,
    why: query.isCollected
      ? 'it ran with the profiler on, but allocated less than one sampling interval, or the server dropped its samples (CannotWriteToWriteBufferDiscard in system.events)'
      : 'it ran with the profiler off, which is the default',
    fix: 'Run it again with these settings, not inside the SQL: the profiler is switched on before the text is read',
    paste: settingsFor(capabilities),
  });
}

/** Servers before 25.9 know only samples by chance. */
function settingsFor({ settings }: Capabilities): string {
  return settings.size === 0 || settings.has('jemalloc_enable_profiler') ? BY_JEMALLOC : BY_CHANCE;
}
