import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from './ports.ts';

/** What must be true for the process to do its work, by name. */
export type HealthChecks = Readonly<Record<string, () => boolean>>;

export interface HealthServer extends AsyncDisposable {
  readonly port: number;
}

/** `GET /healthz`: 200 when every check holds, else 503, and which ones hold. */
export async function startHealthServer(
  port: number,
  checks: HealthChecks,
  log: Log,
): Promise<HealthServer> {
  const server = createServer((request, response) => {
    if (request.url !== '/healthz') {
      response.writeHead(404).end();
      return;
    }
    const results = Object.entries(checks).map(([name, check]) => [name, check()] as const);
    const isHealthy = results.every(([, holds]) => holds);
    response
      .writeHead(isHealthy ? 200 : 503, { 'content-type': 'application/json' })
      .end(JSON.stringify({ isHealthy, ...Object.fromEntries(results) }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => resolve());
  });
  server.on('error', (error) => log.warn({ err: error }, 'health server'));
  return {
    // A TCP server has an address object.
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
