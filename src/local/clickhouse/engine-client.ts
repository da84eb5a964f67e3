import http from 'node:http';
import type { EngineUser } from './users.ts';

export interface EngineAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Values for the `{name:Type}` of a statement. */
export type EngineParams = Readonly<Record<string, string>>;

/** Speaks to the engine behind the front as its admin. */
export interface EngineClient {
  /** The answer whatever it is. */
  ask(sql: string, params?: EngineParams): Promise<EngineAnswer>;
  /** Throws when the engine refuses. */
  run(sql: string, params?: EngineParams): Promise<string>;
  rows<Row>(sql: string, params?: EngineParams): Promise<readonly Row[]>;
  close(): void;
}

export interface EngineClientOptions {
  readonly port: number;
  readonly user: EngineUser;
  /** Sent with every statement. */
  readonly settings?: Readonly<Record<string, string>>;
}

export function createEngineClient({ port, user, settings }: EngineClientOptions): EngineClient {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  const ask = (sql: string, params: EngineParams = {}) =>
    new Promise<EngineAnswer>((resolve, reject) => {
      const search = new URLSearchParams(settings);
      for (const [name, value] of Object.entries(params)) search.set(`param_${name}`, value);
      const request = http.request(
        {
          ...{ host: '127.0.0.1', port, method: 'POST', path: `/?${search}`, agent },
          headers: { 'X-ClickHouse-User': user.user, 'X-ClickHouse-Key': user.password },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks),
            }),
          );
        },
      );
      request.on('error', reject);
      request.end(sql);
    });
  const run = async (sql: string, params?: EngineParams) => {
    const answer = await ask(sql, params);
    if (answer.status !== 200) throw new Error(`${answer.body} in ${sql.slice(0, 120)}`);
    return answer.body.toString();
  };
  return {
    ask,
    run,
    rows: async <Row>(sql: string, params?: EngineParams) => {
      const text = await run(`${sql} FORMAT JSONEachRow`, params);
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Row);
    },
    close: () => agent.destroy(),
  };
}
