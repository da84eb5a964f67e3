import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Milliseconds } from '../../../units.ts';
import type { Core } from '../core.ts';
import { newSecret } from '../state/ids.ts';
import type { Carrier, Parcel, Receipt, Retry } from './parcel.ts';

/** As many connections as Slack allows one app. */
const MAX_CONNECTIONS = 10;

export type DisconnectReason = 'warning' | 'refresh_requested' | 'link_disabled';

/** Socket mode: https://docs.slack.dev/apis/events-api/using-socket-mode */
export interface SocketMode extends Carrier {
  /** The URL of `apps.connections.open`, good for one connection. */
  openConnection(): string;
  /** Takes over an HTTP request that asks for a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  connectionCount(): number;
  /** Asks the app to connect anew; `undefined` cuts all connections without a word. */
  disconnect(reason: DisconnectReason | undefined): void;
  close(): void;
}

export function createSocketMode(core: Core, ackTimeoutMs: Milliseconds): SocketMode {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const open = new Set<WebSocket>();
  const acks = createAcks(ackTimeoutMs);

  function welcome(socket: WebSocket): void {
    socket.on('message', (data) => acks.take(String(data)));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      open.delete(socket);
      core.changes.publish({ kind: 'app', connectionCount: open.size });
    });
    if (open.size >= MAX_CONNECTIONS) {
      send(socket, { type: 'disconnect', reason: 'too_many_websockets' });
      socket.close();
      return;
    }
    open.add(socket);
    send(socket, {
      type: 'hello',
      num_connections: open.size,
      connection_info: { app_id: core.app.appId },
      debug_info: { host: 'local', approximate_connection_time: 18_060 },
    });
    core.changes.publish({ kind: 'app', connectionCount: open.size });
  }

  return {
    openConnection() {
      const ticket = newSecret();
      tickets.add(ticket);
      return `${core.origin.replace('http', 'ws')}/link/?ticket=${ticket}&app_id=${core.app.appId}`;
    },
    upgrade(request, socket, head) {
      const url = new URL(request.url ?? '/', core.origin);
      if (url.pathname !== '/link/' || !tickets.delete(url.searchParams.get('ticket') ?? '')) {
        socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, welcome);
    },
    connectionCount: () => open.size,
    async carry(parcel, retry): Promise<Receipt> {
      const startedAt = performance.now();
      const latencyMs = () => performance.now() - startedAt;
      const connection = anyOf([...open]);
      if (connection === undefined) {
        return { outcome: 'unreachable', reason: 'connection_failed', latencyMs: 0 };
      }
      const id = newSecret();
      const answer = acks.of(id);
      send(connection, envelope(id, parcel, retry));
      const acknowledged = await answer;
      if (acknowledged === undefined) {
        return { outcome: 'timeout', reason: 'timeout', latencyMs: latencyMs() };
      }
      const { body } = acknowledged;
      return { outcome: 'acknowledged', body, latencyMs: latencyMs() };
    },
    disconnect(reason) {
      for (const socket of open) {
        if (reason === undefined) socket.terminate();
        else send(socket, { type: 'disconnect', reason, debug_info: { host: 'local' } });
      }
    },
    close() {
      for (const socket of server.clients) socket.terminate();
      server.close();
      acks.stop();
    },
  };
}

/** Waits for acknowledgements by envelope id. */
function createAcks(timeoutMs: Milliseconds) {
  const waiting = new Map<string, (answer: { readonly body: unknown } | undefined) => void>();
  return {
    take(data: string): void {
      const { envelope_id: id, payload } = parseAck(data);
      if (id !== undefined) waiting.get(id)?.({ body: payload });
    },
    /** Undefined when none comes in time. */
    of(id: string): Promise<{ readonly body: unknown } | undefined> {
      return new Promise((resolve) => {
        const settle = (answer: { readonly body: unknown } | undefined) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(answer);
        };
        const timer = setTimeout(() => settle(undefined), timeoutMs);
        waiting.set(id, settle);
      });
    },
    stop(): void {
      for (const settle of waiting.values()) settle(undefined);
    },
  };
}

function envelope(id: string, parcel: Parcel, retry: Retry | undefined): object {
  return {
    envelope_id: id,
    type: parcel.kind,
    payload: parcel.payload,
    accepts_response_payload: parcel.acceptsResponse,
    ...(retry === undefined ? {} : { retry_attempt: retry.attempt, retry_reason: retry.reason }),
  };
}

function send(socket: WebSocket, message: object): void {
  socket.send(JSON.stringify(message));
}

/** Slack gives each payload to any one of the connections. */
function anyOf<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)];
}

/** An acknowledgement; an empty object is how the client says nothing. */
function parseAck(data: string): { envelope_id?: string; payload?: unknown } {
  try {
    const { envelope_id: id, payload } = JSON.parse(data);
    const isEmpty =
      typeof payload === 'object' && payload !== null && Object.keys(payload).length === 0;
    return { envelope_id: id, payload: isEmpty ? undefined : payload };
  } catch {
    return {};
  }
}
