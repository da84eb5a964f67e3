import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, startEngine } from '../../src/local/clickhouse/engine.ts';

/** The genuine engine for one test file, in a folder of its own, gone afterwards. */
export async function startTestEngine(lgProfSample = 16): Promise<Engine> {
  const dataDir = await mkdtemp(join(tmpdir(), 'memprof-test-engine-'));
  const engine = await startEngine({ dataDir, lgProfSample });
  const stop = async () => {
    await engine.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  // Its client changes when the engine is started again.
  return Object.defineProperty({ ...engine, stop, [Symbol.asyncDispose]: stop }, 'client', {
    get: () => engine.client,
  });
}
