import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Bytes } from '../../units.ts';
import { type DataFolder, prepareDataFolder } from './data-folder.ts';
import { createDumps, type Dumps } from './dumps.ts';
import { createEngineClient, type EngineClient } from './engine-client.ts';
import { type EngineProcess, startEngineProcess } from './engine-process.ts';
import { startFront } from './front.ts';
import { createFunctionNames, type FunctionNames } from './names/function-names.ts';
import { profileTexts, publish } from './profile-text.ts';
import { createQuerySampler, type QuerySampler } from './query-sampler.ts';
import { refillSampledAllocations } from './sampled-allocations.ts';
import { type EngineUsers, engineUsers } from './users.ts';
import {
  arenaBinsView,
  asynchronousMetricsView,
  profileTextView,
  sampledAllocationsTable,
} from './views.ts';

export interface EngineOptions {
  /** Everything of the engine lies in here; kept between runs. */
  readonly dataDir: string;
  /** Of the front; a free one unless said. */
  readonly port?: number;
  /** log2 of the sampling interval in bytes; 16 (64 KiB) shows queries of a second well, a server's default is 19. */
  readonly lgProfSample?: number;
  readonly maxServerMemoryBytes?: Bytes;
}

/** A ClickHouse server for the demo and for tests: see `emulated.ts` for what of it is genuine. */
export interface Engine extends AsyncDisposable {
  /** With the stand-ins: what a target's `url` is. */
  readonly url: string;
  /** The engine alone, without the front; changes when it is started again. */
  engineUrl(): string;
  enginePid(): number | undefined;
  readonly users: EngineUsers;
  readonly client: EngineClient;
  /** Ends the engine as a crash would; it is started again on the same data. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

const DEFAULT_MEMORY_BYTES = 8_000_000_000;

/** Starts engine and front; resolves when queries are answered. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const folder = await prepareDataFolder(options.dataDir, {
    maxServerMemoryBytes: options.maxServerMemoryBytes ?? DEFAULT_MEMORY_BYTES,
  });
  const lgProfSample = options.lgProfSample ?? 16;
  let running: RunningEngine | undefined = await run(folder, lgProfSample);
  let isStopping = false;
  let lastUseMs = Date.now();

  /** Starts it again whenever it ends without being told to. */
  const watch = (engine: RunningEngine) => {
    void engine.process.ended.then(async () => {
      running = undefined;
      engine.client.close();
      if (isStopping) return;
      await prepareDataFolder(options.dataDir, {
        maxServerMemoryBytes: options.maxServerMemoryBytes ?? DEFAULT_MEMORY_BYTES,
      });
      const next = await run(folder, lgProfSample);
      running = next;
      watch(next);
    });
  };
  watch(running);
  const current = () => {
    if (running === undefined) throw new Error('the engine is being started again');
    return running;
  };

  const front = await startFront(options.port ?? 0, {
    enginePort: () => running?.process.port,
    sample: (queryId, runQuery) => current().sampler.sample(queryId, runQuery),
    prepare: (kind) => prepareFor(kind, current(), folder),
    flushedPath: (format) => flushedPath(format, current()),
    noteUse: () => {
      lastUseMs = Date.now();
    },
  });
  // A server's AsynchronousMetrics thread refreshes the allocator's epoch each second, and with it jemalloc_bins.
  const epoch = setInterval(() => {
    if (Date.now() - lastUseMs > 10_000) return;
    running?.client.ask('SELECT * FROM system.jemalloc_stats FORMAT Null').catch(() => {});
  }, 1000);
  epoch.unref();

  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    clearInterval(epoch);
    await front.close();
    running?.client.close();
    await running?.process.stop();
    await rm(folder.keepPipe, { force: true });
  };
  return {
    url: `http://127.0.0.1:${front.port}`,
    engineUrl: () => `http://127.0.0.1:${current().process.port}`,
    enginePid: () => running?.process.pid,
    users: engineUsers,
    get client() {
      return current().client;
    },
    crash: async () => {
      await running?.process.kill();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** One life of the engine, from a start to its end. */
interface RunningEngine {
  readonly process: EngineProcess;
  readonly client: EngineClient;
  readonly dumps: Dumps;
  readonly names: FunctionNames;
  readonly sampler: QuerySampler;
}

async function run(folder: DataFolder, lgProfSample: number): Promise<RunningEngine> {
  const engine = await startEngineProcess(folder, lgProfSample);
  const client = createEngineClient(() => engine.port, engineUsers.admin);
  const dumps = createDumps(client, folder.dumpDir);
  const names = createFunctionNames(engine.pid);
  await makeStandIns(client, folder);
  return {
    process: engine,
    client,
    dumps,
    names,
    sampler: createQuerySampler(client, dumps, names),
  };
}

/** Makes what the engine lacks. trace_log and query_log appear with the first flush. */
async function makeStandIns(client: EngineClient, folder: DataFolder): Promise<void> {
  await client.run('SELECT 1');
  await client.run('SYSTEM FLUSH LOGS');
  const tables = await client.rows<{ name: string }>(
    "SELECT name FROM system.tables WHERE database = 'system'",
  );
  const has = new Set(tables.map(({ name }) => name));
  if (!has.has('jemalloc_arena_bins')) await client.run(arenaBinsView);
  if (!has.has('jemalloc_sampled_allocations')) await client.run(sampledAllocationsTable);
  if (!has.has('asynchronous_metrics')) await client.run(asynchronousMetricsView);
  for (const format of ['raw', 'symbolized', 'collapsed', 'collapsed-count']) {
    await writeFile(join(folder.publishedDir, `${format}.txt`), '');
  }
  await client.run('DETACH TABLE system.jemalloc_profile_text');
  await client.run(profileTextView(folder.publishedDir));
}

async function prepareFor(
  kind: 'flush-logs' | 'profile-text' | 'sampled-allocations',
  { client, dumps, names, sampler }: RunningEngine,
  folder: DataFolder,
): Promise<void> {
  if (kind === 'flush-logs') await sampler.written();
  if (kind === 'sampled-allocations') await refillSampledAllocations(client, sampler);
  if (kind !== 'profile-text') return;
  const { text } = await dumps.take();
  await publish(profileTexts(text, names), folder.publishedDir);
}

/** The dump that FLUSH PROFILE has just written, in the asked format, as the server would name it. */
async function flushedPath(format: string, { dumps, names }: RunningEngine): Promise<string> {
  const raw = await dumps.keepNewest();
  if (format === 'raw') return raw;
  const texts = profileTexts(await readFile(raw, 'utf8'), names);
  const path = join(dirname(raw), `${basename(raw)}.${format}`);
  await writeFile(path, format === 'symbolized' ? texts.symbolized : texts.collapsed);
  return path;
}
