import { probeGrants } from '../../templates/sql/probe.ts';
import { createAsk } from '../ask.ts';
import { createGaps } from '../gaps.ts';
import type { JobContext } from '../job.ts';

/**
 * system.parts, merges and dictionaries list only what the user may see, without a word about the rest. A note with
 * the grant that mends it, where that is so; none where the server knows no grants.
 */
export async function visibilityNotes(
  target: string,
  context: JobContext,
): Promise<readonly string[]> {
  const ask = createAsk(target, context, createGaps());
  const grants = (await ask('grants', probeGrants, {}))?.map(({ grant }) => grant);
  if (grants === undefined || grants.some(showsAllTables)) return [];
  const user = / TO (\S+)$/.exec(grants[0] ?? '')?.[1] ?? 'memprof';
  return [
    `Primary keys, merges, dictionaries and tables in memory are only those that the user of memprof may see: GRANT SHOW TABLES, SHOW DICTIONARIES ON *.* TO ${user} shows them all, and no data`,
  ];
}

/** SELECT on everything includes SHOW. */
function showsAllTables(grant: string): boolean {
  return /^GRANT (?:.*\b)?(?:ALL|SELECT|SHOW|SHOW TABLES)(?:,.*)? ON \*(?:\.\*)? /.test(grant);
}
