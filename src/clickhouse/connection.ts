import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseTarget } from '../config.ts';
import { Failure } from '../failure.ts';
import type { ReadOptions } from '../ports.ts';
import type { Milliseconds } from '../units.ts';
import { startDeadline } from './deadline.ts';
import { type Asked, deadlineFailure, toTargetFailure } from './failures.ts';
import { createOwnSettings } from './own-settings.ts';

/** One request as the connection sends it. */
export interface Request extends ReadOptions {
  /** For logs, `log_comment` and sentences. */
  readonly name: string;
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Nothing may be changed by it; SYSTEM statements count as changes. */
  readonly isRead: boolean;
}

/** The HTTP interface of one server. */
export interface Connection {
  /**
   * The body of the answer, which begins when the server is done with the query: there is no half of an answer. Ended
   * early, by the signal, the deadline or the caller, it stops the server's work too. Throws only Failures.
   */
  ask(request: Request): AsyncGenerator<Uint8Array, void>;
  close(): Promise<void>;
}

const KILL_MS = 5000;
/** The client's own timer must never be the one that fires. */
const NEVER_MS = 2 ** 31 - 1;

export function connect(name: string, target: ClickHouseTarget): Connection {
  const client = createClient({
    url: target.url,
    username: target.user,
    password: target.password,
    application: 'memprof',
    request_timeout: NEVER_MS,
    log: { level: ClickHouseLogLevel.OFF },
    ...(target.caFile === undefined ? {} : { tls: { ca_cert: readCa(name, target.caFile) } }),
  });
  const own = createOwnSettings();
  const killing = new Set<Promise<void>>();

  async function send(request: Request, ending: Ending): Promise<Readable> {
    for (;;) {
      try {
        const { stream } = await client.exec({
          query: request.sql,
          query_params: { ...request.params },
          query_id: ending.queryId,
          abort_signal: ending.signal,
          clickhouse_settings: {
            ...own.for({ ...request, deadlineMs: ending.deadlineMs }),
            ...request.settings,
            wait_end_of_query: 1,
          },
        });
        return stream;
      } catch (thrown) {
        const failure = toTargetFailure(thrown, ending.asked);
        if (failure.kind !== 'setting-refused' || !own.drop(failure.message)) throw failure;
      }
    }
  }

  async function kill(queryId: string): Promise<void> {
    try {
      await client.command({
        query: 'KILL QUERY WHERE query_id = {id:String} ASYNC',
        query_params: { id: queryId },
        abort_signal: AbortSignal.timeout(KILL_MS),
      });
    } catch {
      // Not allowed, or the server is away: max_execution_time ends the query.
    }
  }

  function killLater(queryId: string): void {
    const stopping = kill(queryId).finally(() => killing.delete(stopping));
    killing.add(stopping);
  }

  return {
    async *ask(request) {
      const asked = { target: name, user: target.user, what: request.name };
      const deadlineMs = request.deadlineMs ?? target.readTimeoutMs;
      using deadline = startDeadline(request.signal, deadlineMs, () =>
        deadlineFailure(deadlineMs, asked),
      );
      deadline.signal.throwIfAborted();
      const queryId = `memprof-${randomUUID()}`;
      let isDone = false;
      let body: Readable | undefined;
      try {
        body = await send(request, { ...deadline, queryId, deadlineMs, asked });
        addAbortSignal(deadline.signal, body);
        for await (const chunk of body) yield chunk as Uint8Array;
        isDone = true;
      } catch (thrown) {
        if (deadline.signal.aborted) throw deadline.signal.reason;
        isDone = true;
        throw toTargetFailure(thrown, asked);
      } finally {
        body?.destroy();
        // Closing the connection stops only what is read-only, and not where that setting is unknown.
        if (!isDone) killLater(queryId);
      }
    },
    async close() {
      await Promise.all(killing);
      await client.close();
    },
  };
}

interface Ending {
  readonly signal: AbortSignal;
  readonly queryId: string;
  readonly deadlineMs: Milliseconds;
  readonly asked: Asked;
}

export function readCa(name: string, caFile: string): Buffer {
  try {
    return readFileSync(caFile);
  } catch (cause) {
    throw new Failure('config', {
      what: `Could not read targets.${name}.caFile`,
      why: cause instanceof Error ? cause.message : String(cause),
      fix: 'Name a PEM file that memprof may read',
      cause,
    });
  }
}
