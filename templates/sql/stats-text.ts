import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';

/** jemalloc's own statistics; reading them makes its counters current, also those of system.jemalloc_bins. */
export const statsText = defineQuery({
  name: 'stats-text',
  sql: 'SELECT stats FROM system.jemalloc_stats',
  params: z.object({}),
  row: z.object({ stats: z.string() }),
});
