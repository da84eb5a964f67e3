/**
 * `node health-check.js`: what the image's HEALTHCHECK runs. Exits 0 when the process in the same container says that
 * it is healthy, else 1 with what it said.
 */
import { readProcessConfig } from './process-config.ts';

const TIMEOUT_MS = 4000;

process.exitCode = await check().then(
  (isHealthy) => (isHealthy ? 0 : 1),
  (thrown: unknown) => {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    return 1;
  },
);

async function check(): Promise<boolean> {
  const { healthPort } = readProcessConfig(process.env);
  if (healthPort === undefined) {
    throw new Error('Neither healthPort in the config nor MEMPROF_HEALTH_PORT is set.');
  }
  const answer = await fetch(`http://127.0.0.1:${healthPort}/healthz`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  process.stdout.write(`${await answer.text()}\n`);
  return answer.ok;
}
