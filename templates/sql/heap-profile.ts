import * as z from 'zod';
import { defineQuery } from '../../src/query.ts';

const Line = z.object({ line: z.string() });

/**
 * The live heap as text. Each read flushes a new dump, which many versions leave on the server's disk; the settings
 * `jemalloc_profile_text_…` choose its form.
 */
export const heapProfile = defineQuery({
  name: 'heap-profile',
  sql: 'SELECT line FROM system.jemalloc_profile_text',
  params: z.object({}),
  row: Line,
});

/** A dump that the server wrote, where it may read it itself: below user_files. */
export const heapDumpFile = defineQuery({
  name: 'heap-dump-file',
  sql: "SELECT line FROM file({path: String}, 'LineAsString', 'line String')",
  params: z.object({ path: z.string() }),
  row: Line,
});
