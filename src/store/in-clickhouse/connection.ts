import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  createClient,
} from '@clickhouse/client';
import { Failure } from '../../failure.ts';
import type { Clock } from '../../ports.ts';
import type { Query } from '../../query.ts';
import type { Count, EpochMicros, Milliseconds } from '../../units.ts';
import { answerOf, storeFull } from '../store-failure.ts';

export interface ClickHouseStoreOptions {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** The store's own; made when it is not there. */
  readonly database: string;
  readonly profileDays: Count;
  /** How long a caller waits for the server. */
  readonly deadlineMs: Milliseconds;
  readonly clock: Clock;
}

/** The store's own connection to its database. */
export interface StoreConnection extends AsyncDisposable {
  readonly place: string;
  readonly database: string;
  /** Profiles from before this moment are as good as gone. */
  oldestMicros(): EpochMicros;
  rows<Params, Row>(query: Query<Params, Row>, params: Params): Promise<readonly Row[]>;
  insert(table: string, row: Readonly<Record<string, unknown>>): Promise<void>;
  /** A statement with parameters; `rows`, when given, are what an INSERT reads. */
  command(sql: string, params?: Readonly<Record<string, unknown>>, rows?: string): Promise<void>;
  /** A statement outside the store's database, which may not exist yet. */
  commandOutside(sql: string, params: Readonly<Record<string, unknown>>): Promise<void>;
}

const DAY_MICROS = 86_400e6;

export function openConnection(options: ClickHouseStoreOptions): StoreConnection {
  const { database, deadlineMs } = options;
  const common = {
    url: options.url,
    username: options.user,
    password: options.password,
    request_timeout: deadlineMs,
    // What goes wrong is told by failures.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: {
      output_format_json_quote_64bit_integers: 1,
      // What is forgotten is gone when the statement returns.
      mutations_sync: '1',
      log_comment: 'memprof store',
    },
  } as const;
  const client = createClient({ ...common, database });
  const outside = createClient(common);
  const place = `ClickHouse database ${database} at ${new URL(options.url).host}`;
  const ask = <T>(command: Promise<T>) =>
    answerOf(place, deadlineMs, command.catch(translate(place, options)));
  return {
    place,
    database,
    oldestMicros: () => options.clock.nowMicros() - options.profileDays * DAY_MICROS,
    rows: (query, params) => ask(readRows(client, query, params)),
    insert: async (table, row) => {
      await ask(client.insert({ table, values: [row], format: 'JSONEachRow' }));
    },
    command: (sql, params = {}, rows = '') =>
      ask(send(client, rows === '' ? sql : `${sql}\n${rows}`, params)),
    commandOutside: (sql, params) => ask(send(outside, sql, params)),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([client.close(), outside.close()]);
    },
  };
}

async function readRows<Params, Row>(
  client: ClickHouseClient,
  query: Query<Params, Row>,
  params: Params,
): Promise<readonly Row[]> {
  const answer = await client.query({
    query: query.sql,
    // Every query here has an object of parameters.
    query_params: { ...(query.params.parse(params) as Readonly<Record<string, unknown>>) },
    format: 'JSONEachRow',
  });
  return (await answer.json()).map((row) => query.row.parse(row));
}

async function send(
  client: ClickHouseClient,
  query: string,
  params: Readonly<Record<string, unknown>>,
): Promise<void> {
  await client.command({ query, query_params: { ...params } });
}

/** Codes of ClickHouse's ErrorCodes.cpp. */
const NO_SPACE = new Set(['243', '241']);
const REFUSED = new Set(['516', '497', '164']);

function translate(place: string, { user, database }: ClickHouseStoreOptions) {
  return (thrown: unknown): never => {
    if (!(thrown instanceof ClickHouseError)) throw thrown;
    if (NO_SPACE.has(thrown.code)) {
      throw storeFull(
        place,
        thrown.message,
        'Free disk or memory of that server, or shorten store.profileDays in the config',
      );
    }
    if (!REFUSED.has(thrown.code)) throw unexpected(place, thrown);
    throw new Failure('environment', {
      what: `The store (${place}) refuses memprof`,
      why: thrown.message,
      fix: 'Check store.user and store.password in the config, or have the rights granted',
      paste: `GRANT CREATE DATABASE, CREATE TABLE, SELECT, INSERT, ALTER DELETE ON ${database}.* TO ${user}`,
      cause: thrown,
    });
  };
}

function unexpected(place: string, cause: ClickHouseError): Failure {
  return new Failure('store-unavailable', {
    what: `The store (${place}) answered with an error, so nothing can be kept or compared`,
    why: `${cause.message} (code ${cause.code})`,
    fix: 'Try again in a minute; if it stays, whoever runs memprof should look at that server',
    cause,
  });
}
