import { join, resolve } from 'node:path';
import { Failure } from '../failure.ts';
import { makeFolder } from '../make-folder.ts';
import { startEngine } from './clickhouse/engine.ts';
import { type SeededQuery, seedQueries } from './clickhouse/seed.ts';
import { type Closers, createClosers } from './closers.ts';
import { writeDemoConfig } from './demo-config.ts';
import { runOnce } from './demo-once.ts';
import { useRedis } from './demo-redis.ts';
import { demoNotice, readyText } from './demo-words.ts';
import { startOwnProcess } from './own-process.ts';
import { startWorkspace, type Workspace } from './slack/workspace.ts';

export interface DemoOptions {
  /** Everything that the demo writes lies in here. */
  readonly dataDir: string;
  /** Port of the page; a free one unless said. */
  readonly port?: number;
  /** Post one investigation, write its result, and end. */
  readonly once?: { readonly outDir?: string };
  /** Of a Redis that runs; else one is started. */
  readonly redisUrl?: string;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

/**
 * Everything on embedded defaults: Redis, a ClickHouse engine with queries that just ran under the profiler, a
 * Slack workspace, the bot and a worker as processes of their own. Ends when the signal comes or the one
 * investigation is done, and stops all of it in the reverse order.
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { signal, tell } = options;
  const startedAt = Date.now();
  const dataDir = resolve(options.dataDir);
  await makeFolder(dataDir);
  await using closers = createClosers();
  const stopped = aborted(signal);
  const demo = await unlessStopped(stopped, startDemo({ ...options, dataDir }, closers));
  if (demo === undefined) return;
  if (options.once !== undefined) {
    const [query] = demo.queries;
    if (query === undefined) throw new Error('no query was seeded');
    const outDir = resolve(options.once.outDir ?? join(dataDir, 'once'));
    const once = runOnce({ workspace: demo.workspace, query, outDir, tell });
    await unlessStopped(stopped, Promise.race([once, demo.died]));
    return;
  }
  const { origin } = demo.workspace;
  tell(readyText({ ...demo, origin, dataDir, tookMs: Date.now() - startedAt }));
  await Promise.race([stopped, demo.died]);
  tell('Stopping …');
}

/** What runs while the demo does. */
export interface Demo {
  readonly workspace: Workspace;
  readonly queries: readonly SeededQuery[];
  readonly configFile: string;
  /** Rejects when bot or worker end by themselves. */
  readonly died: Promise<never>;
}

/** Starts all of it; `closers` stop it. `dataDir` is absolute. */
export async function startDemo(
  { dataDir, port, redisUrl, signal, tell }: Omit<DemoOptions, 'once'>,
  closers: Closers,
): Promise<Demo> {
  const redis = await useRedis({ dataDir: join(dataDir, 'redis'), url: redisUrl, tell }, closers);
  tell('Starting a ClickHouse engine and running a few queries under the profiler …');
  const engine = await startEngine({ dataDir: join(dataDir, 'clickhouse') });
  closers.add(() => engine.stop());
  signal.throwIfAborted();
  const workspace = await startWorkspace(port === undefined ? {} : { port });
  closers.add(() => workspace.close());
  const { file, secrets } = await writeDemoConfig(dataDir, { engine, workspace, redis });
  const endings: Promise<never>[] = [];
  for (const name of ['bot', 'worker'] as const) {
    signal.throwIfAborted();
    const own = await startOwnProcess({
      name,
      entry: `src/${name}.js`,
      logFile: join(dataDir, `${name}.log`),
      env: { ...secrets, MEMPROF_CONFIG: file },
    });
    closers.add(() => own.stop());
    endings.push(own.ended.then((lastLines) => Promise.reject(endedEarly(name, lastLines))));
  }
  const died = Promise.race(endings);
  // Nobody may be listening when a process is stopped by us.
  for (const ending of [died, ...endings]) ending.catch(() => undefined);
  const queries = await Promise.race([seedQueries(engine, runSuffix()), died]);
  await Promise.race([workspace.appConnected(), died]);
  workspace.setNotice(demoNotice(queries));
  return { workspace, queries, configFile: file, died };
}

/** Ids must be new with each start: the engine keeps its logs. */
function runSuffix(): string {
  return Math.floor(Date.now() / 1000).toString(36);
}

function endedEarly(name: string, lastLines: string): Failure {
  return new Failure('environment', {
    what: `The ${name} of the demo ended by itself`,
    why: lastLines.trim().split('\n').at(-1) ?? 'it said nothing',
    fix: `See ${name}.log in the data folder of the demo`,
  });
}

function aborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((stop) => {
    signal.addEventListener('abort', () => stop(undefined), { once: true });
  });
}

/** The result of the work, or undefined when the signal came first; work that goes on unseen may fail unseen. */
async function unlessStopped<Result>(
  stopped: Promise<undefined>,
  work: Promise<Result>,
): Promise<Result | undefined> {
  work.catch(() => undefined);
  return Promise.race([work, stopped]);
}
