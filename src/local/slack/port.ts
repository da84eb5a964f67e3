import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../../failure.ts';

/** Within this range no port is one that browsers and fetch refuse to talk to. */
const SAFE_PORTS = { first: 11_000, last: 65_000 } as const;

/** Listens on 127.0.0.1, on a port that fetch is allowed to talk to: https://fetch.spec.whatwg.org/#port-blocking */
export async function listen(server: Server, port: number | undefined): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    const listening = await tryListen(server, port ?? 0);
    const isSafe = listening >= SAFE_PORTS.first && listening <= SAFE_PORTS.last;
    if (port !== undefined || isSafe || attempt === 5) return listening;
    server.close();
    await once(server, 'close');
  }
}

async function tryListen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new Failure('environment', {
      what: `The Slack workspace could not listen on port ${port}`,
      why: cause instanceof Error ? cause.message : String(cause),
      fix: 'Free the port, or name another one',
      cause,
    });
  }
  // What a listening TCP server has.
  return (server.address() as AddressInfo).port;
}
