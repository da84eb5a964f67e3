import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';
import { Int64 } from './columns.ts';

/** What the server counts all the time: its memory tracker, and on newer servers its caches. */
export const statsMetrics = defineQuery({
  name: 'stats-metrics',
  sql: `
SELECT metric, value
FROM system.metrics
WHERE metric LIKE '%Memory%' OR metric LIKE '%CacheBytes' OR metric LIKE '%QueueBytes'`,
  params: z.object({}),
  row: z.object({ metric: z.string(), value: Int64 }),
});
