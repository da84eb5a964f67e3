import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '../api/serve.ts';

/** More than anybody uploads here; Slack allows a gigabyte. */
const MAX_BODY_BYTES = 128 * 1024 * 1024;

/** The whole body; undefined when it is larger than anybody needs. */
export async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    // Without an encoding set, a request yields buffers.
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > MAX_BODY_BYTES) return undefined;
  }
  return Buffer.concat(chunks);
}

export function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): void {
  if (answer === 'dropped') {
    request.socket.destroy();
    return;
  }
  const { status, headers, body } = answer;
  const isText = typeof body === 'string';
  const isBytes = body instanceof Uint8Array;
  response.writeHead(status, {
    'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(isText || isBytes ? body : JSON.stringify(body));
}
