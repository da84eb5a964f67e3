import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';
import { Int64 } from './columns.ts';

/** When the server started, to the second, by its own clock. */
export const serverStart = defineQuery({
  name: 'frag-server-start',
  sql: 'SELECT toUnixTimestamp64Micro(now64(6)) - uptime() * 1000000 AS started_at_micros',
  params: z.object({}),
  row: z
    .object({ started_at_micros: Int64 })
    .transform((row) => ({ startedAtMicros: row.started_at_micros })),
});
