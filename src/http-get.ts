import { readFile } from 'node:fs/promises';
import { Agent, request } from 'undici';
import { Failure } from './failure.ts';
import type { Bytes, Milliseconds } from './units.ts';

export interface HttpGetOptions {
  /** What is asked, for sentences: "the HTTP control of keeper-1". */
  readonly name: string;
  readonly signal: AbortSignal;
  /** For the whole answer. */
  readonly deadlineMs: Milliseconds;
  readonly maxBytes: Bytes;
  /** PEM file of a private certificate authority. */
  readonly caFile?: string | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/**
 * One GET, read to its end. Any status is an answer; throws `target-unreachable`, `query-timeout`, `server-error` for
 * an answer that is too long, or `cancelled`.
 */
export async function httpGet(url: string, options: HttpGetOptions): Promise<HttpAnswer> {
  const { signal, deadlineMs } = options;
  const deadline = AbortSignal.timeout(deadlineMs);
  const agent = new Agent({
    ...(options.caFile === undefined ? {} : { connect: { ca: await readFile(options.caFile) } }),
  });
  try {
    const { statusCode, headers, body } = await request(url, {
      signal: AbortSignal.any([signal, deadline]),
      dispatcher: agent,
    });
    return { status: statusCode, headers, body: await readBody(body, options) };
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    if (signal.aborted) throw new Failure('cancelled', { what: 'Stopped', cause: thrown });
    if (deadline.aborted) throw tooSlow(options, thrown);
    throw unreachable(options, thrown);
  } finally {
    await agent.destroy();
  }
}

async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  { name, maxBytes }: HttpGetOptions,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let lengthBytes = 0;
  for await (const chunk of chunks) {
    lengthBytes += chunk.length;
    if (lengthBytes > maxBytes) {
      throw new Failure('server-error', {
        what: `The answer of ${name} is too long`,
        why: `it has more than ${maxBytes} bytes`,
        fix: 'Take the file itself and give it to `memprof render` in the shell',
      });
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

function tooSlow({ name, deadlineMs }: HttpGetOptions, cause: unknown): Failure {
  return new Failure('query-timeout', {
    what: `No whole answer from ${name} within ${deadlineMs / 1000} s`,
    why: 'it is busy, or something between drops the answer',
    fix: 'Try again, or raise readTimeoutMs of the target in the config',
    cause,
  });
}

function unreachable({ name }: HttpGetOptions, cause: unknown): Failure {
  return new Failure('target-unreachable', {
    what: `Could not reach ${name}`,
    why: cause instanceof Error ? cause.message || cause.name : String(cause),
    fix: 'Check the address in the config, and that memprof may reach it from where it runs',
    cause,
  });
}
