import type { Server } from 'node:http';
import { HTTPReceiver, type Receiver, SocketModeReceiver } from '@slack/bolt';
import { Failure } from '../failure.ts';
import type { Log } from '../ports.ts';
import { createBoltLogger } from './bolt-logger.ts';
import { createPinnedFetch } from './pinned-fetch.ts';
import { SLACK_API_URL } from './web.ts';

/** How Slack reaches the bot. */
export interface Connection {
  readonly receiver: Receiver;
  /** Resolves to the port in HTTP mode. */
  start(): Promise<number | undefined>;
  stop(): Promise<void>;
  isConnected(): boolean;
}

export interface SocketOptions {
  readonly appToken: string;
  readonly apiUrl?: string;
  readonly log: Log;
}

/**
 * A lost connection is noticed after this, and opened anew after as long again: short, because Slack does not deliver
 * commands a second time; long enough for a slow network. The bot never keeps its event loop busy for so long.
 */
const PING_TIMEOUT_MS = 3000;

export function createSocketConnection({ appToken, apiUrl, log }: SocketOptions): Connection {
  const slackApiUrl = apiUrl ?? SLACK_API_URL;
  const receiver = new SocketModeReceiver({
    appToken,
    clientPingTimeout: PING_TIMEOUT_MS,
    logger: createBoltLogger(log),
    installerOptions: {
      clientOptions: {
        slackApiUrl,
        fetch: createPinnedFetch(slackApiUrl),
        // For ever: an error here while it connects anew would end the process, and there is nothing else to do.
        retryConfig: { forever: true, factor: 1.5, minTimeout: 500, maxTimeout: 10_000 },
      },
    },
  });
  let isConnected = false;
  receiver.client.on('connected', () => {
    isConnected = true;
    log.info({}, 'connected to slack');
  });
  for (const event of ['close', 'reconnecting', 'disconnected']) {
    receiver.client.on(event, () => {
      if (isConnected) log.warn({ event }, 'connection to slack lost');
      isConnected = false;
    });
  }
  return {
    receiver,
    async start() {
      await receiver.start();
      return undefined;
    },
    // `receiver.stop()` resolves before the socket is closed.
    stop: async () => {
      await receiver.client.disconnect();
    },
    isConnected: () => isConnected,
  };
}

export interface HttpOptions {
  readonly signingSecret: string;
  readonly host: string;
  readonly port: number;
  readonly log: Log;
}

/** Slack's advice: older or newer than this is not from Slack. Bolt checks the past only. */
const CLOCK_SKEW_MS = 300_000;

export function createHttpConnection({ signingSecret, host, port, log }: HttpOptions): Connection {
  const receiver = new HTTPReceiver({ signingSecret, logger: createBoltLogger(log) });
  const listen = receiver.requestListener;
  receiver.requestListener = (request, response) => {
    const sentAtMs = Number(request.headers['x-slack-request-timestamp']) * 1000;
    if (sentAtMs > Date.now() + CLOCK_SKEW_MS) {
      log.warn({}, 'request from the future refused');
      response.writeHead(401).end();
      return;
    }
    listen(request, response);
  };
  let server: Server | undefined;
  return {
    receiver,
    async start() {
      // Without TLS options it is a plain HTTP server.
      server = (await receiver.start({ host, port }).catch((cause: unknown) => {
        throw cannotListen(host, port, cause);
      })) as Server;
      const address = server.address();
      return typeof address === 'object' ? address?.port : undefined;
    },
    async stop() {
      const stopped = receiver.stop();
      // Clients that keep their connection open would keep the server open too.
      const closing = setInterval(() => server?.closeIdleConnections(), 50);
      await stopped.finally(() => clearInterval(closing));
    },
    isConnected: () => server?.listening ?? false,
  };
}

function cannotListen(host: string, port: number, cause: unknown): Failure {
  return new Failure('environment', {
    what: `Cannot listen on ${host}:${port} for Slack`,
    why: cause instanceof Error ? cause.message : String(cause),
    fix: 'Free the port, or set another one as slack.port in the config',
    cause,
  });
}
