import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Failure } from '../failure.ts';
import type { KeeperWord } from '../ports.ts';
import type { Bytes, Milliseconds } from '../units.ts';
import { refusedWord, requireKeeperAnswer } from './answers.ts';

/** Statistics have about 25 KB an arena; nothing that a Keeper says to a word is longer than this. */
const MAX_ANSWER_BYTES: Bytes = 64 * 2 ** 20;

export interface WordCall {
  readonly target: string;
  /** "keeper-1.example:9181", "[::1]:9181". */
  readonly hostPort: string;
  readonly tls: boolean;
  readonly caFile: string | undefined;
  readonly word: KeeperWord;
  readonly signal: AbortSignal;
  readonly deadlineMs: Milliseconds;
}

/**
 * Sends a four-letter word and reads until Keeper closes the connection, as it does after each answer. memprof's own
 * side stays open until then: a Keeper may take a half-closed connection for a client that is gone.
 */
export async function fourLetterWord(call: WordCall): Promise<string> {
  const { target, word } = call;
  const answer = await exchange(call);
  if (answer.length === 0) throw refusedWord(target, word);
  const text = answer.toString('utf8');
  requireKeeperAnswer(target, word, text);
  return text;
}

async function exchange(call: WordCall): Promise<Buffer> {
  const deadline = AbortSignal.timeout(call.deadlineMs);
  const stop = AbortSignal.any([call.signal, deadline]);
  const parts: Buffer[] = [];
  let lengthBytes = 0;
  let socket: Socket | undefined;
  const abort = () => socket?.destroy(new Error('stopped'));
  stop.addEventListener('abort', abort, { once: true });
  try {
    socket = await open(call, stop);
    socket.write(call.word);
    for await (const part of socket as AsyncIterable<Buffer>) {
      parts.push(part);
      lengthBytes += part.length;
      if (lengthBytes > MAX_ANSWER_BYTES) throw tooLong(call);
    }
    return Buffer.concat(parts);
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    if (call.signal.aborted) throw new Failure('cancelled', { what: 'Stopped', cause: thrown });
    if (deadline.aborted) throw tooSlow(call, lengthBytes);
    throw brokenOff(call, lengthBytes, thrown);
  } finally {
    stop.removeEventListener('abort', abort);
    socket?.destroy();
  }
}

async function open({ hostPort, tls, caFile }: WordCall, stop: AbortSignal): Promise<Socket> {
  const colon = hostPort.lastIndexOf(':');
  const host = hostPort.slice(0, colon).replace(/^\[|\]$/g, '');
  const port = Number(hostPort.slice(colon + 1));
  const ca = caFile === undefined ? undefined : await readFile(caFile);
  const socket = tls
    ? connectTls({ host, port, ca, ...(isIP(host) ? {} : { servername: host }) })
    : connect({ host, port });
  try {
    await once(socket, tls ? 'secureConnect' : 'connect', { signal: stop });
    return socket;
  } catch (thrown) {
    socket.on('error', () => undefined).destroy();
    throw thrown;
  }
}

function tooLong({ target, word }: WordCall): Failure {
  return new Failure('config', {
    what: `What answers "${word}" on ${target} is no Keeper`,
    why: 'it sends without end',
    fix: "Check fourLetterWords of the target in memprof's config: it must be Keeper's client port (9181)",
  });
}

function tooSlow({ target, word, deadlineMs }: WordCall, lengthBytes: Bytes): Failure {
  return new Failure('query-timeout', {
    what: `Keeper ${target} did not answer "${word}" within ${deadlineMs / 1000} s`,
    why:
      lengthBytes === 0
        ? 'not a byte came: it is busy, or the port belongs to something else'
        : `${lengthBytes} bytes came, but not the end`,
    fix: 'Try again, or raise readTimeoutMs of the target in the config',
  });
}

function brokenOff({ target, word, hostPort }: WordCall, lengthBytes: Bytes, cause: unknown) {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Failure('target-unreachable', {
    what:
      lengthBytes === 0
        ? `Could not reach Keeper ${target} at ${hostPort}`
        : `The connection to Keeper ${target} broke off in the middle of its answer to "${word}"`,
    why: lengthBytes === 0 ? why : `${why}, after ${lengthBytes} bytes`,
    fix: 'Check that Keeper runs, and that memprof may reach its client port from where it runs',
    cause,
  });
}
