import http from 'node:http';

/** A request to the front, and where its engine listens. */
export interface Exchange {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
  readonly enginePort: number;
  /** What has been read of the request's body. */
  readonly beginning: readonly Buffer[];
}

/** Ends the connection with its request: none is kept that could hold up a stop of the engine for seconds. */
const LAST = { connection: 'close' };

function to(port: number): http.RequestOptions {
  return { host: '127.0.0.1', port, agent: false };
}

/**
 * Sends the request on and the answer back, whatever they are, as they come. Resolves when the exchange has ended.
 */
export function forward(exchange: Exchange, path: string): Promise<void> {
  const { request, response, enginePort: port, beginning } = exchange;
  return new Promise((resolve) => {
    const onward = http.request(
      { ...to(port), method: request.method, path, headers: { ...request.headers, ...LAST } },
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

export interface WholeAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a request of the same user and method with another body, and takes the whole answer. */
export function ask(exchange: Exchange, path: string, body: Buffer): Promise<WholeAnswer> {
  const { request, enginePort: port } = exchange;
  const headers: http.OutgoingHttpHeaders = { ...request.headers, ...LAST };
  for (const name of ['content-length', 'transfer-encoding', 'accept-encoding'])
    delete headers[name];
  return new Promise((resolve, reject) => {
    const onward = http.request(
      { ...to(port), method: request.method, path, headers },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('error', reject);
        answer.once('end', () =>
          resolve({
            status: answer.statusCode ?? 502,
            headers: answer.headers,
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    onward.once('error', reject);
    onward.end(body);
  });
}

export function answerWith(response: http.ServerResponse, answer: WholeAnswer): void {
  response.writeHead(answer.status, withoutHopHeaders(answer.headers));
  response.end(answer.body);
}

/** Says in a sentence why there is no answer; cuts one that has begun. */
export function refuse(response: http.ServerResponse, sentence: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(502, { 'content-type': 'text/plain' });
  response.end(`${sentence}\n`);
}

/** Headers about one connection are not for the next. */
function withoutHopHeaders(headers: http.IncomingHttpHeaders): http.IncomingHttpHeaders {
  const { connection: _connection, 'keep-alive': _keepAlive, ...rest } = headers;
  return rest;
}
