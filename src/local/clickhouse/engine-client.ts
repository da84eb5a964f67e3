import http from 'node:http';
import type { EngineUser } from './users.ts';

export interface EngineAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Speaks to the engine behind the front as its admin. */
export interface EngineClient {
  /** The answer whatever it is. */
  ask(sql: string): Promise<EngineAnswer>;
  /** Throws when the engine refuses. */
  run(sql: string): Promise<string>;
  rows<Row>(sql: string): Promise<readonly Row[]>;
  close(): void;
}

export function createEngineClient(port: () => number, user: EngineUser): EngineClient {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  const ask = (sql: string) =>
    new Promise<EngineAnswer>((resolve, reject) => {
      const request = http.request(
        {
          ...{ host: '127.0.0.1', port: port(), method: 'POST', path: '/', agent },
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
  const run = async (sql: string) => {
    const answer = await ask(sql);
    if (answer.status !== 200) throw new Error(`${answer.body} in ${sql.slice(0, 120)}`);
    return answer.body.toString();
  };
  return {
    ask,
    run,
    rows: async <Row>(sql: string) => {
      const text = await run(`${sql} FORMAT JSONEachRow`);
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Row);
    },
    close: () => agent.destroy(),
  };
}
