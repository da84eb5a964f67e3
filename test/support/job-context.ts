import type { JobContext, SourcePorts } from '../../jobs/job.ts';
import { readConfig } from '../../src/config.ts';
import { createDumpFolder } from '../../src/dump-folder.ts';
import { createKeeper } from '../../src/keeper/keeper.ts';
import { createMetricsEndpoint } from '../../src/metrics-endpoint.ts';
import type { ClickHouse } from '../../src/ports.ts';
import { createFakeClickHouse } from '../fakes/fake-clickhouse.ts';
import { createFakeStudio } from '../fakes/fake-studio.ts';

export const sampleMoment = 1_790_000_000_000_000;

/** What a job gets of the shell, over a server of the test's own. Stages that were said are in `stages`. */
export function jobContext(
  given: {
    readonly clickhouse?: ClickHouse;
    readonly sources?: SourcePorts;
    readonly signal?: AbortSignal;
  } = {},
): JobContext & { readonly stages: readonly string[] } {
  const stages: string[] = [];
  return {
    ports: {
      clickhouse: given.clickhouse ?? createFakeClickHouse({}),
      studio: createFakeStudio(),
      clock: { nowMicros: () => sampleMoment },
      sources: given.sources ?? sourcesOf({ prod: { url: 'http://127.0.0.1:8123' } }),
    },
    signal: given.signal ?? new AbortController().signal,
    investigationId: 'k7f2m9qd',
    askedBy: 'shell',
    progress: (stage) => stages.push(stage),
    stages,
  };
}

/** The real adapters over targets as the config file names them. */
export function sourcesOf(targets: Readonly<Record<string, object>>): SourcePorts {
  const config = readConfig(JSON.stringify({ targets }), {}, 'test');
  return {
    keeper: createKeeper(config),
    metrics: createMetricsEndpoint(config),
    dumps: createDumpFolder(config),
  };
}
