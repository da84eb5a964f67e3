import type { Capabilities } from '../src/capabilities.ts';
import {
  probeColumns,
  probeFunctions,
  probeGrants,
  probeProfiler,
  probeServerSettings,
  probeSettings,
  probeVersion,
} from '../templates/sql/probe.ts';
import type { Ask } from './ask.ts';

/** Asks a server what it has and what its user may do; what it does not tell stays unknown. */
export async function readCapabilities(ask: Ask): Promise<Capabilities> {
  const version = await ask('the version', probeVersion, {});
  const columns = (await ask('the columns of system tables', probeColumns, {})) ?? [];
  const settings = (await ask('query settings', probeSettings, {})) ?? [];
  const functions = (await ask('functions', probeFunctions, {})) ?? [];
  const grants = await ask('grants', probeGrants, {});
  const server = (await ask('server settings of the profiler', probeServerSettings, {})) ?? [];
  const measured = (await ask('the state of the profiler', probeProfiler, {})) ?? [];
  return {
    version: version?.[0]?.version ?? '',
    columns: columnsByTable(columns),
    traceTypes: new Set(columns.filter(isTraceType).flatMap(({ type }) => enumNames(type))),
    settings: new Set(settings.map(({ name }) => name)),
    functions: new Set(functions.map(({ name }) => name)),
    grants: grants?.map(({ grant }) => grant),
    ...profilerOf(
      new Map(measured.map(({ metric, value }) => [metric, value])),
      new Map(server.map(({ name, value }) => [name, Number(value)])),
    ),
  };
}

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

function columnsByTable(rows: readonly ColumnRow[]): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = new Map<string, Set<string>>();
  for (const { table, name } of rows) {
    const columns = tables.get(table) ?? new Set();
    tables.set(table, columns.add(name));
  }
  return tables;
}

function isTraceType({ table, name }: ColumnRow): boolean {
  return table === 'trace_log' && name === 'trace_type';
}

/** "Enum8('Real' = 0, 'CPU' = 1)": by name, as the numbers have moved. */
function enumNames(type: string): readonly string[] {
  return [...type.matchAll(/'([A-Za-z]+)' = /g)].map((match) => match[1] as string);
}

/**
 * What is measured is in force; what the config asks for is only wanted (a library build shows it and does nothing).
 * prof.active is on in every build and says nothing: threads follow prof.thread_active_init.
 */
function profilerOf(
  measured: ReadonlyMap<string, number>,
  wanted: ReadonlyMap<string, number>,
): Pick<Capabilities, 'isProfiledGlobally' | 'samplingIntervalBytes' | 'isIntervalInForce'> {
  const isOn =
    measured.get('jemalloc.prof.thread_active_init') ??
    wanted.get('jemalloc_enable_global_profiler');
  const lgSample =
    measured.get('jemalloc.prof.lg_sample') ?? wanted.get('jemalloc_profiler_sampling_rate');
  return {
    isProfiledGlobally: isOn === undefined ? undefined : isOn === 1,
    samplingIntervalBytes: lgSample === undefined ? undefined : 2 ** lgSample,
    isIntervalInForce: measured.has('jemalloc.prof.lg_sample'),
  };
}
