import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { Failure } from '../failure.ts';
import { formatBytes, formatDuration } from '../format.ts';
import { type Engine, startEngine } from './clickhouse/engine.ts';
import { type SeededQuery, seedQueries } from './clickhouse/seed.ts';
import { runOnce } from './demo-once.ts';
import { type OwnProcess, startOwnProcess } from './own-process.ts';
import { redisServer, requireProgram } from './programs.ts';
import { startRedis } from './redis.ts';
import { startWorkspace, type Workspace } from './slack/workspace.ts';

export interface DemoOptions {
  /** Everything that the demo writes lies in here. */
  readonly dataDir: string;
  /** Port of the page; a free one unless said. */
  readonly port?: number;
  /** Post one investigation, write its result, and end. */
  readonly once?: { readonly outDir: string | undefined };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

/** What runs while the demo does. */
export interface Demo {
  readonly dataDir: string;
  readonly workspace: Workspace;
  readonly engine: Engine;
  readonly queries: readonly SeededQuery[];
}

/**
 * Everything on embedded defaults: Redis, a ClickHouse engine with queries that just ran under the profiler, a
 * Slack workspace, the bot and a worker as processes of their own. Ends when the signal comes, and stops all
 * of it in the reverse order.
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  await using stack = new AsyncDisposableStack();
  const startedAt = Date.now();
  const { tell } = options;

  const redisUrl = await useRedis(options, dataDir, stack);
  tell('Starting a ClickHouse engine and running a few queries under the profiler …');
  const engine = stack.use(
    await startEngine({ dataDir: join(dataDir, 'clickhouse'), lgProfSample: 16 }),
  );
  const workspace = stack.use(
    await startWorkspace(options.port === undefined ? {} : { port: options.port }),
  );
  const configFile = await writeConfig(dataDir, engine, workspace, redisUrl);
  const env = { MEMPROF_CONFIG: configFile, ...slackSecrets(workspace) };
  const processes: OwnProcess[] = [];
  for (const name of ['bot', 'worker'] as const) {
    const own = await startOwnProcess({
      name,
      entry: `src/${name}.js`,
      logFile: join(dataDir, `${name}.log`),
      env,
    });
    stack.defer(() => own.stop());
    processes.push(own);
  }
  const died = Promise.race(processes.map(async (own) => endedEarly(own.name, await own.ended)));
  const queries = await Promise.race([seedQueries(engine), died]);
  await Promise.race([workspace.appConnected(), died]);
  const demo = { dataDir, workspace, engine, queries };
  if (options.once !== undefined) {
    await Promise.race([runOnce(demo, options.once.outDir, tell), died, aborted(options.signal)]);
    return;
  }
  showOnPage(demo);
  tell(readyText(demo, Date.now() - startedAt));
  await Promise.race([aborted(options.signal), died]).catch((thrown: unknown) => {
    if (!options.signal.aborted) throw thrown;
  });
  tell('Stopping …');
}
