import type { ReadOptions } from '../src/ports.ts';
import type { Query } from '../src/query.ts';
import type { Gaps } from './gaps.ts';
import type { JobContext } from './job.ts';

/** Asks one server one query; undefined, and the gap noted under `what`, when the answer cannot be had. */
export type Ask = <Params, Row>(
  what: string,
  query: Query<Params, Row>,
  params: Params,
  options?: Pick<ReadOptions, 'settings' | 'deadlineMs'>,
) => Promise<readonly Row[] | undefined>;

export function createAsk(target: string, { ports, signal }: JobContext, gaps: Gaps): Ask {
  return (what, query, params, options = {}) =>
    gaps.attempt(what, () => ports.clickhouse.rows(target, query, params, { ...options, signal }));
}
