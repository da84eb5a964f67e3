import type { IncomingMessage } from 'node:http';

/** The part of a request's body that the front has read, to be sent on before the rest. */
export interface RequestBeginning {
  readonly chunks: readonly Buffer[];
  /** The whole body as text; undefined when it is compressed or too long to be one of our statements. */
  readonly text: string | undefined;
}

const LONGEST_STATEMENT_BYTES = 256 * 1024;

/** Reads a body until its end or until it is plain that it is none of our statements. */
export async function readBeginning(request: IncomingMessage): Promise<RequestBeginning> {
  if (request.headers['content-encoding'] !== undefined) return { chunks: [], text: undefined };
  const chunks: Buffer[] = [];
  let size = 0;
  while (size <= LONGEST_STATEMENT_BYTES) {
    const chunk = await nextChunk(request);
    if (chunk === undefined) return { chunks, text: Buffer.concat(chunks).toString('utf8') };
    chunks.push(chunk);
    size += chunk.length;
  }
  return { chunks, text: undefined };
}

/** One chunk, or undefined at the end. Unlike `for await`, this leaves the rest of the stream alone. */
function nextChunk(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const ready = () => {
      const chunk: Buffer | null = request.read();
      if (chunk === null && !request.readableEnded && !request.complete) {
        request.once('readable', ready);
        return;
      }
      if (chunk === null) {
        if (request.readableEnded) finish(undefined);
        else request.once('end', () => finish(undefined)).resume();
        return;
      }
      finish(chunk);
    };
    const finish = (value: Buffer | undefined) => {
      request.off('error', reject);
      request.off('close', closed);
      resolve(value);
    };
    const closed = () => reject(new Error('the client went away'));
    request.once('error', reject);
    request.once('close', closed);
    ready();
  });
}
