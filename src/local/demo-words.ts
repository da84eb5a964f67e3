import { formatBytes, formatDuration } from '../format.ts';
import type { Milliseconds } from '../units.ts';
import { engineTruths } from './clickhouse/emulated.ts';
import type { SeededQuery } from './clickhouse/seed.ts';
import type { Notice } from './slack/page/notice.ts';

/** What the page shows beside the workspace. */
export function demoNotice(queries: readonly SeededQuery[]): Notice {
  return {
    title: 'Try it',
    text: 'These queries have just run under the profiler on the embedded ClickHouse. Ask what held their memory:',
    suggestions: queries.map((query) => ({
      command: peakCommand(query),
      about: `${query.title}, ${countedWords(query)}`,
    })),
    truths: engineTruths,
  };
}

export function peakCommand({ queryId }: Pick<SeededQuery, 'queryId'>): string {
  return `/memprof peak ${queryId}`;
}

/** What the terminal says when everything runs. */
export function readyText(demo: {
  readonly origin: string;
  readonly configFile: string;
  readonly dataDir: string;
  readonly queries: readonly SeededQuery[];
  readonly tookMs: Milliseconds;
}): string {
  const { origin, configFile, dataDir, queries, tookMs } = demo;
  const [first] = queries;
  return [
    '',
    `  ${origin}`,
    '',
    `Ready after ${formatDuration(tookMs)}. Open the page and type into #db-oncall:`,
    ...queries.map((query) => `  ${peakCommand(query)}   ${query.title}, ${countedWords(query)}`),
    '',
    'Or in another shell:',
    `  npx memprof peak ${first?.queryId ?? '<query_id>'} --config ${configFile}`,
    '',
    `Data and logs: ${dataDir}. Ctrl-C stops everything.`,
  ].join('\n');
}

function countedWords({ durationMs, memoryUsageBytes }: SeededQuery): string {
  return `${formatDuration(durationMs)}, ${formatBytes(memoryUsageBytes)} by the server's own count`;
}
