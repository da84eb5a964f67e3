import type { Figure, FigureName, Holder, MemoryFacts } from '../../src/allocator/memory-facts.ts';

export const MiB = 2 ** 20;
export const GiB = 2 ** 30;

/** Facts of a server from plain numbers, for tests. */
export function memoryFacts(
  bytes: Partial<Record<FigureName, number>>,
  changes: Partial<Omit<MemoryFacts, 'figures'>> = {},
): MemoryFacts {
  const figures: Partial<Record<FigureName, Figure>> = {};
  for (const [name, value] of Object.entries(bytes)) {
    figures[name as FigureName] = { bytes: value, source: `test: ${name}` };
  }
  return {
    server: 'clickhouse',
    holders: [],
    pageBytes: 4096,
    stats: undefined,
    growth: undefined,
    ...changes,
    figures,
  };
}

export function holder(kind: Holder['kind'], bytes: number, more: Partial<Holder> = {}): Holder {
  return { kind, name: `some ${kind}`, bytes, source: `test: ${kind}`, ...more };
}
