import { type ClickHouseTarget, type Config, targetOf } from '../config.ts';
import { Failure } from '../failure.ts';
import type { ClickHouse, ReadOptions } from '../ports.ts';
import type { Query } from '../query.ts';
import { type Connection, connect, type Request } from './connection.ts';
import { type Asked, toTargetFailure } from './failures.ts';

/** The ClickHouse servers of a config, by name. Each is connected to when it is first asked. */
export function createClickHouse(config: Config): ClickHouse & AsyncDisposable {
  const connections = new Map<string, Connection>();

  function connectionTo(name: string): Connection {
    const known = connections.get(name);
    if (known !== undefined) return known;
    const connection = connect(name, clickhouseTarget(config, name));
    connections.set(name, connection);
    return connection;
  }

  return {
    async rows(target, query, params, options) {
      const request = toRequest(query, params, { format: 'JSONEachRow', ...options });
      const answer = await textOf(connectionTo(target).ask(request));
      return answer
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => parseRow(query, line, target));
    },
    async statement(target, sql, options) {
      if (sql.startsWith('SYSTEM FLUSH LOGS')) requireFlushing(config, target);
      const request = { ...options, name: sql, sql, params: {}, isRead: false };
      const answer = await textOf(connectionTo(target).ask(request));
      // A page of something else can come with a status of success; no statement answers with one.
      if (/^\s*</.test(answer)) throw notClickHouse(answer, { target, what: sql });
      return answer;
    },
    bytes(target, query, params, options) {
      return connectionTo(target).ask(toRequest(query, params, { format: 'TSVRaw', ...options }));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };
}

function clickhouseTarget(config: Config, name: string): ClickHouseTarget {
  const target = targetOf(config, name);
  if (target.kind === 'clickhouse') return target;
  throw new Failure('usage', {
    what: `${name} is a Keeper, which knows no SQL`,
    fix: 'Ask it for heap, stats or flush, or name a ClickHouse server',
  });
}

function notClickHouse(answer: string, asked: Pick<Asked, 'target' | 'what'>): Failure {
  return toTargetFailure(new Error(answer), { ...asked, user: '' });
}

function requireFlushing(config: Config, name: string): void {
  if (clickhouseTarget(config, name).flushLogs) return;
  throw new Failure('feature-off', {
    what: `memprof does not flush the logs of ${name}`,
    why: `targets.${name}.flushLogs is off in the config of memprof`,
  });
}

function toRequest<Params, Row>(
  query: Query<Params, Row>,
  params: Params,
  { format, ...options }: ReadOptions & { readonly format: string },
): Request {
  return {
    ...options,
    name: query.name,
    sql: `${query.sql}\nFORMAT ${format}`,
    params: query.params.parse(params) as Record<string, unknown>,
    isRead: true,
  };
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function parseRow<Params, Row>(query: Query<Params, Row>, line: string, target: string): Row {
  // A page of something else can come with a status of success.
  if (!line.startsWith('{')) throw notClickHouse(line, { target, what: query.name });
  const parsed = query.row.safeParse(JSON.parse(line));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Failure('server-error', {
    what: `${target} answered ${query.name} in a way that memprof does not expect`,
    why: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
    fix: 'Tell whoever runs memprof, with the version of the server',
    cause: parsed.error,
  });
}
