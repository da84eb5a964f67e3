import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Engine, startEngine } from '../../src/local/clickhouse/engine.ts';
import { type SeededQuery, seedQueries } from '../../src/local/clickhouse/seed.ts';
import { type Closers, createClosers } from '../../src/local/closers.ts';
import { startOwnProcess } from '../../src/local/own-process.ts';
import { redisServer, requireProgram } from '../../src/local/programs.ts';
import { startRedis } from '../../src/local/redis.ts';
import { startWorkspace, type Workspace } from '../../src/local/slack/workspace.ts';

/** All of memprof as it runs for real: bot in HTTP mode and two workers as processes, the engine, Redis, the workspace. */
export interface World extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly engine: Engine;
  readonly queries: readonly SeededQuery[];
  readonly botPort: number;
}

const WORKERS = 2;

export async function startWorld(): Promise<World> {
  const closers = createClosers();
  try {
    return { ...(await start(closers)), [Symbol.asyncDispose]: closers[Symbol.asyncDispose] };
  } catch (thrown) {
    await closers[Symbol.asyncDispose]();
    throw thrown;
  }
}

async function start(closers: Closers) {
  const folder = await mkdtemp(join(tmpdir(), 'memprof-bench-'));
  closers.add(() => rm(folder, { recursive: true, force: true }));
  const program = await requireProgram(redisServer, console.log);
  const redis = await startRedis({ program, dataDir: join(folder, 'redis') });
  closers.add(() => redis.stop());
  const engine = await startEngine({ dataDir: join(folder, 'clickhouse') });
  closers.add(() => engine.stop());
  const queries = await seedQueries(engine, 'bench');
  const workspace = await startWorkspace();
  closers.add(() => workspace.close());
  const botPort = await freePort();
  const configFile = join(folder, 'memprof.yaml');
  await writeFile(
    configFile,
    stringify({
      slack: { mode: 'http', apiUrl: workspace.apiUrl, port: botPort, host: '127.0.0.1' },
      redis: { url: redis.url },
      targets: { local: { url: engine.url, ...engine.users.memprof } },
      worker: { concurrency: 1 },
    }),
  );
  const env = {
    MEMPROF_CONFIG: configFile,
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_SIGNING_SECRET: workspace.signingSecret,
  };
  const names = ['bot', ...Array.from({ length: WORKERS }, (_, index) => `worker-${index + 1}`)];
  for (const name of names) {
    const entry = name === 'bot' ? 'src/bot.js' : 'src/worker.js';
    const logFile = join(folder, `${name}.log`);
    const own = await startOwnProcess({ name, entry, logFile, env });
    closers.add(() => own.stop());
  }
  await untilListening(botPort);
  return { workspace, engine, queries, botPort };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const isThere = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the bot does not listen');
}
