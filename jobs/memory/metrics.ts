import { keeperHolders } from '../../src/allocator/keeper-figures.ts';
import {
  cachesOfMetrics,
  figuresOfMetrics,
  pageBytesOfMetrics,
} from '../../src/allocator/memory-figures.ts';
import { parsePrometheusText } from '../../src/allocator/prometheus-text.ts';
import type { JobContext } from '../job.ts';
import { isKeeper, requireSources } from '../sources.ts';
import type { MemoryReading } from './reading.ts';

/** Reads the account of a server's memory from its Prometheus endpoint alone. */
export async function memoryOfMetrics(target: string, context: JobContext): Promise<MemoryReading> {
  context.progress('reading the metrics endpoint');
  const text = await requireSources(context).metrics.read(target, { signal: context.signal });
  const metrics = parsePrometheusText(text, target);
  const pageBytes = pageBytesOfMetrics(metrics);
  const server = isKeeper(target, context) ? 'keeper' : 'clickhouse';
  return {
    facts: {
      server,
      figures: figuresOfMetrics(metrics, 'prometheus', pageBytes),
      holders:
        server === 'keeper'
          ? keeperHolders([{ source: 'prometheus', values: metrics }])
          : cachesOfMetrics(metrics, 'prometheus'),
      pageBytes,
      stats: undefined,
      growth: undefined,
    },
    readAtMicros: context.ports.clock.nowMicros(),
    history: undefined,
    statsText: undefined,
    gaps: [],
    notes: [
      'Only the Prometheus endpoint was read: who holds the memory (queries, merges, parts, dictionaries) and size classes are not in it',
    ],
  };
}
