import type { Count } from '../units.ts';

/** What the path of a heap dump tells. */
export interface DumpName {
  readonly format: 'raw' | 'symbolized' | 'collapsed';
  /** Dumps of the same server process before this one: it counts them from 0. Undefined for an unknown name. */
  readonly earlierCount: Count | undefined;
}

/**
 * ClickHouse writes "/tmp/jemalloc_clickhouse.<pid>.<number>.heap" and adds the format it turned it into; with a
 * prefix of one's own jemalloc itself names it "<prefix>.<pid>.<number>.m<number>.heap".
 */
export function readDumpName(path: string): DumpName {
  const number = /\.\d+\.(\d+)(?:\.[a-z]\d+)?(?:\.[a-z]+)?\.heap(?:\.|$)/.exec(path)?.[1];
  const suffix = /\.heap\.(symbolized|collapsed)$/.exec(path)?.[1];
  return {
    format: suffix === 'symbolized' || suffix === 'collapsed' ? suffix : 'raw',
    earlierCount: number === undefined ? undefined : Number(number),
  };
}
