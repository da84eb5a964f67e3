import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DataFolder } from './data-folder.ts';
import { createDumps, type Dumps } from './dumps.ts';
import { createEngineClient, type EngineClient } from './engine-client.ts';
import {
  type EngineProcess,
  type EngineProcessOptions,
  startEngineProcess,
} from './engine-process.ts';
import { createHeapFollower, type HeapFollower } from './heap-follower.ts';
import { createFunctionNames, type FunctionNames } from './names/function-names.ts';
import { profileTexts, publish } from './profile-text.ts';
import { createQuerySampler, type QuerySampler } from './query-sampler.ts';
import { createSampleWriter } from './sample-writer.ts';
import { createSampledAllocations, type SampledAllocations } from './sampled-allocations.ts';
import type { StandIn } from './statement.ts';
import { ThreadIds, threadNamesOf } from './thread-ids.ts';
import { engineUsers } from './users.ts';
import {
  arenaBinsView,
  asynchronousMetricsView,
  profileTextView,
  sampledAllocationsTable,
} from './views.ts';

/** One life of the engine, from a start to its end, with what stands in for the parts that its build lacks. */
export interface RunningEngine {
  readonly process: EngineProcess;
  /** Its admin, for others: statements are logged as anybody's. */
  readonly client: EngineClient;
  readonly sampler: QuerySampler;
  /** Brings stand-ins up to date. */
  prepare(reads: readonly StandIn[]): Promise<void>;
  /**
   * Runs a statement that writes a heap dump, if it says so; resolves to the path of the dump in the asked format, named
   * as a server would.
   */
  keepDump(format: string, writeDump: () => Promise<boolean>): Promise<string | undefined>;
  /** What a server's AsynchronousMetrics thread does each second: it moves the allocator's epoch on. */
  tick(): Promise<void>;
  /** Lets go of connections, so that a stop is clean. */
  close(): void;
}

export async function runEngine(
  folder: DataFolder,
  options: EngineProcessOptions,
): Promise<RunningEngine> {
  const process = await startEngineProcess(folder, options);
  const { port, pid } = process;
  const client = createEngineClient({ port, user: engineUsers.admin });
  const own = createEngineClient({ port, user: engineUsers.admin, settings: ownSettings });
  const close = () => {
    client.close();
    own.close();
  };
  try {
    await makeStandIns(own, folder);
    const dumps = createDumps(own, folder.dumpDir);
    const names = createFunctionNames(pid);
    const threads = new ThreadIds(() => threadNamesOf(pid));
    const follower = createHeapFollower(dumps, threads);
    await follower.step();
    const writer = createSampleWriter(own, names);
    const sampler = createQuerySampler({ client: own, follower, threads, writer });
    const allocations = createSampledAllocations(own, follower);
    return {
      process,
      client,
      sampler,
      prepare: (reads) => prepare(reads, { dumps, names, sampler, allocations, folder }),
      keepDump: (format, writeDump) => keepDump(format, writeDump, { dumps, names }),
      tick: () => tick(own, follower),
      close,
    };
  } catch (thrown) {
    close();
    await process.stop();
    throw thrown;
  }
}

/**
 * Ours are many statements a second while a query is sampled: they are kept out of query_log, and cost half as much
 * without threads for a row of output, and with a dump that the engine does not try to read back.
 */
const ownSettings = {
  log_queries: '0',
  max_threads: '1',
  output_format_parallel_formatting: '0',
  jemalloc_profile_text_output_format: 'raw',
};

/** Makes what the engine lacks. trace_log and query_log appear with the first flush. */
async function makeStandIns(client: EngineClient, folder: DataFolder): Promise<void> {
  await client.run('SELECT 1 SETTINGS log_queries = 1');
  await client.run('SYSTEM FLUSH LOGS');
  const tables = await client.rows<{ name: string }>(
    "SELECT name FROM system.tables WHERE database = 'system'",
  );
  const has = new Set(tables.map(({ name }) => name));
  if (!has.has('jemalloc_arena_bins')) await client.run(arenaBinsView);
  if (!has.has('jemalloc_sampled_allocations')) {
    await client.run(sampledAllocationsTable('system.jemalloc_sampled_allocations'));
  }
  if (!has.has('asynchronous_metrics')) await client.run(asynchronousMetricsView);
  for (const format of ['raw', 'symbolized', 'collapsed', 'collapsed-count']) {
    await writeFile(join(folder.publishedDir, `${format}.txt`), '');
  }
  await client.run('DETACH TABLE system.jemalloc_profile_text');
  await client.run(profileTextView(folder.publishedDir));
}

interface Parts {
  readonly dumps: Dumps;
  readonly names: FunctionNames;
  readonly sampler: QuerySampler;
  readonly allocations: SampledAllocations;
  readonly folder: DataFolder;
}

async function prepare(reads: readonly StandIn[], parts: Parts): Promise<void> {
  for (const standIn of reads) {
    switch (standIn) {
      case 'logs':
        await parts.sampler.written();
        break;
      case 'sampled-allocations':
        await parts.allocations.refill();
        break;
      case 'profile-text': {
        const { text } = await parts.dumps.take();
        await publish(profileTexts(text, parts.names), parts.folder.publishedDir);
        break;
      }
    }
  }
}

async function keepDump(
  format: string,
  writeDump: () => Promise<boolean>,
  { dumps, names }: Pick<Parts, 'dumps' | 'names'>,
): Promise<string | undefined> {
  const raw = await dumps.keep(writeDump);
  if (raw === undefined || format === 'raw') return raw;
  const texts = profileTexts(await readFile(raw, 'utf8'), names);
  const path = join(dirname(raw), `${basename(raw)}.${format}`);
  await writeFile(path, format === 'symbolized' ? texts.symbolized : texts.collapsed);
  return path;
}

/** Reading jemalloc_stats refreshes jemalloc_bins too; the dump gives live objects their ages. */
async function tick(client: EngineClient, follower: HeapFollower): Promise<void> {
  await client.run('SELECT * FROM system.jemalloc_stats FORMAT Null');
  await follower.step();
}
