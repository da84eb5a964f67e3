import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { ClickHouseTarget } from '../config.ts';
import type { RunProgress } from '../ports.ts';
import { readCa } from './connection.ts';
import { type Asked, toTargetFailure } from './failures.ts';
import { createProgressReader, readProgress } from './progress-headers.ts';

export interface Post {
  readonly target: ClickHouseTarget;
  readonly user: string;
  readonly password: string;
  readonly asked: Asked;
  readonly sql: string;
  readonly queryId?: string;
  /** In the URL: settings inside the SQL do not reach the thread that is attached already. */
  readonly settings: Readonly<Record<string, string | number>>;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
}

export interface Posted {
  readonly text: string;
  /** At the end. */
  readonly progress: RunProgress;
}

/** All progress headers of one answer; far more than a proxy lets through. */
const MAX_HEADER_BYTES = 2 ** 20;
/** Enough for any exception; the rows of a statement are never sent. */
const MAX_TEXT_CHARS = 4 * 2 ** 20;

/**
 * One request of its own connection, for the two things that the client library keeps from us: progress while headers
 * still come, and users other than the target's. Throws only Failures.
 */
export async function postQuery(post: Post): Promise<Posted> {
  post.signal.throwIfAborted();
  try {
    const { answer, text } = await send(post);
    // Where progress was sent, the status was 200 before the exception came.
    if (answer.statusCode !== 200 || isException(answer)) throw new Error(text);
    const progress = readProgress(headerOf(answer, 'x-clickhouse-summary'));
    return { text, progress: progress ?? { readRows: 0, readBytes: 0, totalRows: 0 } };
  } catch (thrown) {
    if (post.signal.aborted) throw post.signal.reason;
    throw toTargetFailure(thrown, post.asked);
  }
}

async function send(
  post: Post,
): Promise<{ readonly answer: http.IncomingMessage; readonly text: string }> {
  const { target, signal, onProgress } = post;
  const url = urlOf(post);
  const isSecure = url.protocol === 'https:';
  const request = (isSecure ? https : http).request(url, {
    method: 'POST',
    agent: false,
    signal,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: { 'x-clickhouse-user': post.user, 'x-clickhouse-key': post.password },
    ...(isSecure && target.caFile !== undefined
      ? { ca: readCa(post.asked.target, target.caFile) }
      : {}),
  });
  if (onProgress !== undefined) {
    request.once('socket', (socket) => {
      socket.on('data', createProgressReader(onProgress));
    });
  }
  request.end(post.sql);
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    if (text.length < MAX_TEXT_CHARS) text += chunk;
  }
  return { answer, text };
}

function urlOf({ target, settings, parameters = {}, queryId }: Post): URL {
  const url = new URL(target.url);
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, String(value));
  for (const [name, value] of Object.entries(parameters)) {
    url.searchParams.set(`param_${name}`, value);
  }
  if (queryId !== undefined) url.searchParams.set('query_id', queryId);
  return url;
}

function isException(answer: http.IncomingMessage): boolean {
  return headerOf(answer, 'x-clickhouse-exception-code') !== undefined;
}

function headerOf(answer: http.IncomingMessage, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value.at(-1) : value;
}
