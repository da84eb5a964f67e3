import type * as z from 'zod';

/**
 * A query as a value: constant SQL with ClickHouse's typed `{name: Type}` parameters, a schema for the
 * parameters and one for a row. The row schema renames the server's columns once, adding units.
 * No SQL is ever put together from strings; a test holds the parameters in the text against the schema.
 */
export interface Query<Params, Row> {
  /** Name for logs, for `log_comment` and for error sentences: "peak-curve". */
  readonly name: string;
  readonly sql: string;
  readonly params: z.ZodType<Params>;
  readonly row: z.ZodType<Row>;
}

export function defineQuery<Params, Row>(query: Query<Params, Row>): Query<Params, Row> {
  return query;
}
