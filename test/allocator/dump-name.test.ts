import { describe, expect, it } from 'vitest';
import { readDumpName } from '../../src/allocator/dump-name.ts';

describe('readDumpName', () => {
  it.each([
    ['/tmp/jemalloc_clickhouse.4711.0.heap', 'raw', 0],
    ['/tmp/jemalloc_clickhouse.4711.12.heap.symbolized', 'symbolized', 12],
    ['/tmp/jemalloc_clickhouse.4711.3.heap.collapsed', 'collapsed', 3],
    ['/tmp/jemalloc_keeper.1.7.heap', 'raw', 7],
    ['/var/dumps/p.623.0.m0.heap', 'raw', 0],
    ['/var/dumps/heap.623.5.kept.heap.symbolized', 'symbolized', 5],
    ['/var/dumps/my.heap', 'raw', undefined],
  ] as const)('reads %s', (path, format, earlierCount) => {
    expect(readDumpName(path)).toEqual({ format, earlierCount });
  });
});
