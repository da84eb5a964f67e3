import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';

/** What the server may use. `max_server_memory_usage` is 0 on older servers when only the ratio is set. */
export const statsLimits = defineQuery({
  name: 'stats-limits',
  sql: `
SELECT name, value
FROM system.server_settings
WHERE name IN ('max_server_memory_usage', 'max_server_memory_usage_to_ram_ratio')`,
  params: z.object({}),
  row: z.object({ name: z.string(), value: z.coerce.number() }),
});
