import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBeginning } from './request-beginning.ts';
import { isSampledQuery, type StatementKind, statementKind } from './statement.ts';

/** What the front asks of the engine's stand-ins. */
export interface FrontServices {
  /** Port of the engine, or undefined while it is being started again. */
  enginePort(): number | undefined;
  sample(queryId: string, runQuery: () => Promise<void>): Promise<void>;
  /** Before SYSTEM FLUSH LOGS, jemalloc_profile_text and jemalloc_sampled_allocations. */
  prepare(kind: Exclude<StatementKind, 'other' | 'flush-profile'>): Promise<void>;
  /** Where the dump of a flush that was just forwarded lies, in the form that was asked for. */
  flushedPath(format: string): Promise<string>;
  noteUse(): void;
}

export interface Front {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * The public port: passes bytes through in both directions and steps in only for the statements of
 * `statementKind` and for sampled queries. It never changes SQL and never makes up an answer of the server's.
 */
export async function startFront(port: number, services: FrontServices): Promise<Front> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });
  const server = http.createServer((request, response) => {
    services.noteUse();
    handle({ request, response, agent, services }).catch((error: unknown) => {
      const said = error instanceof Error ? error.message : String(error);
      refuse(response, `The embedded engine could not answer: ${said}`);
    });
  });
  server.keepAliveTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}

interface Exchange {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
  readonly agent: http.Agent;
  readonly services: FrontServices;
}

async function handle(exchange: Exchange): Promise<void> {
  const { request, services } = exchange;
  const url = new URL(request.url ?? '/', 'http://front');
  const beginning = await readBeginning(request);
  const sql = `${url.searchParams.get('query') ?? ''}\n${beginning.text ?? ''}`;
  const kind = beginning.text === undefined ? 'other' : statementKind(sql);
  if (kind === 'flush-profile') return flushProfile(exchange, url, beginning.chunks);
  if (kind !== 'other') await services.prepare(kind);
  if (!isSampledQuery(url.searchParams))
    return forward(exchange, request.url ?? '/', beginning.chunks);
  const queryId = url.searchParams.get('query_id') ?? randomUUID();
  url.searchParams.set('query_id', queryId);
  await services.sample(queryId, () =>
    forward(exchange, `${url.pathname}${url.search}`, beginning.chunks),
  );
}

/** Sends the request on and the answer back, whatever they are. Resolves when the exchange has ended. */
function forward(
  { request, response, agent, services }: Exchange,
  path: string,
  beginning: readonly Buffer[],
): Promise<void> {
  const port = services.enginePort();
  if (port === undefined) {
    refuse(
      response,
      'The embedded engine crashed and is being started again; try once more in a second.',
    );
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const onward = http.request(
      { host: '127.0.0.1', port, method: request.method, path, headers: request.headers, agent },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, withoutHopHeaders(answer.headers));
        answer.pipe(response);
        answer.once('end', resolve);
        // The engine cuts the body to tell of an exception in the middle: cut ours too.
        answer.once('error', () => {
          response.destroy();
          resolve();
        });
      },
    );
    onward.once('error', (error) => {
      refuse(response, `The embedded engine did not answer: ${error.message}`);
      resolve();
    });
    response.once('close', () => {
      if (!response.writableFinished) onward.destroy();
      resolve();
    });
    for (const chunk of beginning) onward.write(chunk);
    if (request.readableEnded) onward.end();
    else request.pipe(onward);
  });
}

/**
 * Forwards first, so that a missing grant (497) or a wrong password (516) stays the engine's own answer. Only what
 * this build says although the dump is written is replaced by the row that a server answers: code 107, or for a raw
 * dump an empty file name.
 */
async function flushProfile(
  exchange: Exchange,
  url: URL,
  chunks: readonly Buffer[],
): Promise<void> {
  const { request, response, services } = exchange;
  const answer = await send(exchange, `${url.pathname}${url.search}`, chunks);
  const code = answer.headers['x-clickhouse-exception-code'];
  const isNameless = answer.status === 200 && !answer.body.includes('.heap');
  if (code !== '107' && !isNameless) {
    response.writeHead(answer.status, withoutHopHeaders(answer.headers));
    response.end(answer.body);
    return;
  }
  const format = url.searchParams.get('jemalloc_profile_text_output_format') ?? 'collapsed';
  url.searchParams.delete('query');
  url.searchParams.set('param_path', await services.flushedPath(format));
  const row = await send({ ...exchange, request }, `${url.pathname}${url.search}`, [
    Buffer.from('SELECT {path:String} AS filename'),
  ]);
  response.writeHead(row.status, withoutHopHeaders(row.headers));
  response.end(row.body);
}

interface WholeAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

function send(
  { request, agent, services }: Exchange,
  path: string,
  chunks: readonly Buffer[],
): Promise<WholeAnswer> {
  const headers = { ...request.headers };
  for (const name of ['content-length', 'transfer-encoding', 'accept-encoding'])
    delete headers[name];
  return new Promise((resolve, reject) => {
    const onward = http.request(
      { host: '127.0.0.1', port: services.enginePort(), method: 'POST', path, headers, agent },
      (answer) => {
        const body: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => body.push(chunk));
        answer.once('error', reject);
        answer.once('end', () =>
          resolve({
            status: answer.statusCode ?? 502,
            headers: answer.headers,
            body: Buffer.concat(body),
          }),
        );
      },
    );
    onward.once('error', reject);
    onward.end(Buffer.concat(chunks));
  });
}

function withoutHopHeaders(headers: http.IncomingHttpHeaders): http.IncomingHttpHeaders {
  const { connection: _connection, 'keep-alive': _keepAlive, ...rest } = headers;
  return rest;
}

function refuse(response: http.ServerResponse, sentence: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(502, { 'content-type': 'text/plain' });
  response.end(`${sentence}\n`);
}
