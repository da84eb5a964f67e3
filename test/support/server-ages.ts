import { Failure } from '../../src/failure.ts';
import type { FakeAnswers } from '../fakes/fake-clickhouse.ts';

/** What a server of an age has, as far as memprof asks; columns that no verb depends on are left out. */
interface ServerAge {
  readonly version: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly traceTypes?: string;
  readonly settings: string;
  readonly functions: string;
  /** Absent: the server knows no SHOW GRANTS. */
  readonly grants?: readonly string[];
  readonly serverSettings?: Readonly<Record<string, string>>;
  readonly profiler?: Readonly<Record<string, number>>;
}

const always = {
  asynchronous_metrics: 'metric value',
  events: 'event value',
  merges: 'database table memory_usage',
  metrics: 'metric value',
  parts: 'database table active primary_key_bytes_in_memory_allocated',
  processes: 'query_id user memory_usage',
  query_log: 'type event_time query_id memory_usage',
};
const since20 = {
  ...always,
  dictionaries: 'name bytes_allocated',
  asynchronous_metric_log: 'event_date event_time metric value',
  metric_log: 'CurrentMetric_MemoryTracking',
  server_settings: 'name value',
};
const bins = 'index large size allocations deallocations';
const slabs = `${bins} nregs curslabs curregs`;
const traceLog = 'event_date event_time_microseconds trace_type query_id trace size ptr';
const traceTypes = 'Real CPU Memory MemorySample MemoryPeak ProfileEvent';
const introspection = 'addressToSymbol addressToLine demangle flameGraph queryID';
const grants = [
  'GRANT SYSTEM FLUSH LOGS, SYSTEM JEMALLOC, addressToLine, addressToSymbol, demangle ON *.* TO memprof',
  'GRANT SELECT ON system.* TO memprof',
];
const perQuery = 'jemalloc_enable_profiler jemalloc_collect_profile_samples_in_trace_log';
const profileText =
  'jemalloc_profile_text_output_format jemalloc_profile_text_symbolize_with_inline jemalloc_profile_text_collapsed_use_count';

const ages: readonly ServerAge[] = [
  { version: '18.16.1', columns: always, settings: '', functions: '' },
  {
    version: '24.8.5.1',
    columns: { ...since20, jemalloc_bins: bins, trace_log: traceLog },
    traceTypes,
    settings: 'memory_profiler_step memory_profiler_sample_probability log_comment',
    functions: introspection,
    grants,
  },
  {
    version: '25.9.1.1',
    columns: { ...since20, jemalloc_bins: bins, trace_log: `${traceLog} symbols lines` },
    traceTypes: `${traceTypes} JemallocSample`,
    settings: `${perQuery} memory_profiler_step log_comment`,
    functions: introspection,
    grants,
    serverSettings: { jemalloc_enable_global_profiler: '0' },
  },
  {
    version: '26.2.4.1',
    columns: {
      ...since20,
      jemalloc_bins: slabs,
      jemalloc_stats: 'stats',
      jemalloc_profile_text: 'line',
      trace_log: `${traceLog} symbols lines`,
    },
    traceTypes: `${traceTypes} JemallocSample MemoryAllocatedWithoutCheck`,
    settings: `${perQuery} ${profileText} log_comment`,
    functions: introspection,
    grants,
    serverSettings: { jemalloc_enable_global_profiler: '0', jemalloc_profiler_sampling_rate: '19' },
    profiler: { 'jemalloc.prof.thread_active_init': 0, 'jemalloc.prof.lg_sample': 19 },
  },
  {
    version: '26.9.1.1',
    columns: {
      ...since20,
      jemalloc_bins: `${slabs} slab_size nonfull_slabs`,
      jemalloc_arena_bins: `arena purpose ${slabs} slab_size nonfull_slabs`,
      jemalloc_sampled_allocations: 'trace age_ns size usize size_class arena sample_interval',
      jemalloc_stats: 'stats',
      jemalloc_profile_text: 'line',
      trace_log: `${traceLog} symbols lines`,
    },
    traceTypes: `${traceTypes} JemallocSample MemoryAllocatedWithoutCheck Instrumentation`,
    settings: `${perQuery} ${profileText} log_comment`,
    functions: introspection,
    grants: [
      ...grants,
      'GRANT CREATE SETTINGS PROFILE, ALTER SETTINGS PROFILE, SHOW SETTINGS PROFILES ON *.* TO memprof',
    ],
    serverSettings: { jemalloc_enable_global_profiler: '1', jemalloc_profiler_sampling_rate: '17' },
    profiler: { 'jemalloc.prof.thread_active_init': 1, 'jemalloc.prof.lg_sample': 17 },
  },
];

const words = (text: string) => text.split(' ').filter((word) => word !== '');
const names = (text: string) => words(text).map((name) => ({ name }));
const entries = (values: Readonly<Record<string, string | number>> = {}) => Object.entries(values);

/** Answers to the probe's questions, by version. */
export const serverAges: ReadonlyMap<string, FakeAnswers> = new Map(
  ages.map((age): [string, FakeAnswers] => [
    age.version,
    {
      'probe-version': [{ version: age.version }],
      'probe-columns': Object.entries(age.columns).flatMap(([table, columns]) =>
        words(columns).map((name) => ({
          ...{ table, name },
          type: name === 'trace_type' ? enumType(age.traceTypes ?? '') : 'String',
        })),
      ),
      'probe-settings': names(age.settings),
      'probe-functions': names(age.functions),
      'probe-grants':
        age.grants?.map((grant) => ({ 'GRANTS FOR memprof': grant })) ??
        new Failure('server-error', { what: 'Syntax error: SHOW GRANTS' }),
      'probe-server-settings': entries(age.serverSettings).map(([name, value]) => ({
        name,
        value,
      })),
      'probe-profiler': entries(age.profiler).map(([metric, value]) => ({ metric, value })),
    },
  ]),
);

function enumType(types: string): string {
  return `Enum8(${words(types)
    .map((name, number) => `'${name}' = ${number}`)
    .join(', ')})`;
}
