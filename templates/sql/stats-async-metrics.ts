import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';
import { Float64 } from './columns.ts';

/**
 * Memory, allocator and caches as the server measures them from time to time; every row is of its last round, a
 * second to a minute ago. Values are bytes, but jemalloc's `p…` (pactive, pdirty) count pages.
 */
export const statsAsyncMetrics = defineQuery({
  name: 'stats-async-metrics',
  sql: `
SELECT metric, value
FROM system.asynchronous_metrics
WHERE metric LIKE 'jemalloc.%' OR metric LIKE '%Memory%' OR metric LIKE '%CacheBytes'`,
  params: z.object({}),
  row: z.object({ metric: z.string(), value: Float64 }),
});
