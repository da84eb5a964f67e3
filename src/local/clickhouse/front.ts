import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../../failure.ts';
import { answerWith, ask, type Exchange, forward, refuse } from './forward.ts';
import { readBeginning } from './request-beginning.ts';
import type { RunningEngine } from './running-engine.ts';
import { isSampledQuery, readStatement } from './statement.ts';

/** What the front asks of the rest. */
export interface FrontServices {
  /** Undefined while it is being started again. */
  engine(): RunningEngine | undefined;
  noteUse(): void;
}

export interface Front {
  readonly port: number;
  close(): Promise<void>;
}

/** ClickHouse's http_max_uri_size. */
const MAX_URI_BYTES = 2 ** 20;

/**
 * The public port: passes bytes through in both directions and steps in only for the statements of `readStatement` and
 * for sampled queries. It never changes SQL and never makes up an answer of the server's.
 */
export async function startFront(port: number, services: FrontServices): Promise<Front> {
  const server = http.createServer({ maxHeaderSize: MAX_URI_BYTES }, (request, response) => {
    services.noteUse();
    handle(request, response, services).catch((error: unknown) => {
      const said = error instanceof Error ? error.message : String(error);
      refuse(response, `The embedded engine could not answer: ${said}`);
    });
  });
  server.keepAliveTimeout = 30_000;
  // A query may send its rows for as long as it likes.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(cannotListen(port, cause)));
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  services: FrontServices,
): Promise<void> {
  const engine = services.engine();
  if (engine === undefined) {
    refuse(
      response,
      'The embedded engine ended and is being started again: try once more in a second.',
    );
    return;
  }
  const url = new URL(request.url ?? '/', 'http://front');
  const { chunks, text } = await readBeginning(request);
  const exchange = { request, response, enginePort: engine.process.port, beginning: chunks };
  if (text !== undefined) {
    const statement = readStatement(`${url.searchParams.get('query') ?? ''}\n${text}`);
    if (statement.kind === 'flush-profile') return flushProfile(exchange, url, engine);
    await engine.prepare(statement.reads);
  }
  if (!isSampledQuery(url.searchParams)) return forward(exchange, request.url ?? '/');
  const queryId = url.searchParams.get('query_id') ?? randomUUID();
  url.searchParams.set('query_id', queryId);
  await engine.sampler.sample(queryId, () => forward(exchange, `${url.pathname}${url.search}`));
}

/**
 * Forwards first, so that a missing grant (497) or a wrong password (516) stays the engine's own answer. Only what
 * this build says although the dump is written is replaced by the row that a server answers: code 107, or for a raw
 * dump an empty file name.
 */
async function flushProfile(exchange: Exchange, url: URL, engine: RunningEngine): Promise<void> {
  const { request, response, beginning } = exchange;
  const format = url.searchParams.get('jemalloc_profile_text_output_format') ?? 'collapsed';
  const path = await engine.keepDump(format, async () => {
    const answer = await ask(exchange, request.url ?? '/', Buffer.concat(beginning));
    const code = answer.headers['x-clickhouse-exception-code'];
    const isNameless = answer.status === 200 && !answer.body.includes('.heap');
    if (code === '107' || isNameless) return true;
    answerWith(response, answer);
    return false;
  });
  if (path === undefined) return;
  url.searchParams.delete('query');
  url.searchParams.set('param_path', path);
  const row = Buffer.from('SELECT {path:String} AS filename');
  answerWith(response, await ask(exchange, `${url.pathname}${url.search}`, row));
}

function cannotListen(port: number, cause: NodeJS.ErrnoException): Failure {
  return new Failure('environment', {
    what: `The embedded engine could not listen on port ${port}`,
    why: cause.code === 'EADDRINUSE' ? 'another program listens there' : cause.message,
    fix: 'Name another port, or none for a free one',
    cause,
  });
}
