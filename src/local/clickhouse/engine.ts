import type { Bytes } from '../../units.ts';
import { dataFolderPath, prepareDataFolder } from './data-folder.ts';
import type { EngineClient } from './engine-client.ts';
import { lockFolder } from './folder-lock.ts';
import { startFront } from './front.ts';
import { keepRunning } from './keep-running.ts';
import { runEngine } from './running-engine.ts';
import { type EngineUsers, engineUsers } from './users.ts';

export interface EngineOptions {
  /** Everything of the engine lies in here; kept between runs. */
  readonly dataDir: string;
  /** Of the front; a free one unless said. */
  readonly port?: number;
  /** log2 of the sampling interval in bytes; 16 (64 KiB) shows queries of a second well, a server's default is 19. */
  readonly lgProfSample?: number;
  /** More than this and a query gets 241 while the engine lives on. */
  readonly maxServerMemoryBytes?: Bytes;
  /** Stops it. */
  readonly signal?: AbortSignal;
}

/** A ClickHouse server for the demo and for tests: see `emulated.ts` for what of it is genuine. */
export interface Engine extends AsyncDisposable {
  /** With the stand-ins: what a target's `url` is. */
  readonly url: string;
  /** The engine alone, without the front; changes when it is started again. */
  engineUrl(): string;
  /** Undefined while it is being started again. */
  enginePid(): number | undefined;
  readonly users: EngineUsers;
  readonly client: EngineClient;
  /** Ends the engine as a crash would; it is started again on the same data. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

const DEFAULT_MEMORY_BYTES = 8_000_000_000;
const DEFAULT_LG_PROF_SAMPLE = 16;
/** A server's metrics are this old at most; ours too, as long as somebody asks. */
const TICK_MS = 1000;
const IN_USE_MS = 10_000;

/** Starts engine and front; resolves when queries are answered. Throws `environment` when that cannot be. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  options.signal?.throwIfAborted();
  const root = dataFolderPath(options.dataDir);
  const lock = await lockFolder(root);
  const keeper = await keepRunning(async () => {
    const maxServerMemoryBytes = options.maxServerMemoryBytes ?? DEFAULT_MEMORY_BYTES;
    const folder = await prepareDataFolder(root, { maxServerMemoryBytes });
    const lgProfSample = options.lgProfSample ?? DEFAULT_LG_PROF_SAMPLE;
    return runEngine(folder, { lgProfSample, started: lock.take });
  });
  let lastUseMs = Date.now();
  const front = await startFront(options.port ?? 0, {
    engine: keeper.current,
    noteUse: () => {
      lastUseMs = Date.now();
    },
  }).catch(async (thrown: unknown) => {
    await keeper.stop();
    throw thrown;
  });
  const ticking = setInterval(() => {
    if (Date.now() - lastUseMs < IN_USE_MS) keeper.tick();
  }, TICK_MS);
  ticking.unref();

  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= (async () => {
      clearInterval(ticking);
      await front.close();
      await keeper.stop();
      await lock.release();
    })();
    return stopped;
  };
  options.signal?.addEventListener('abort', () => void stop(), { once: true });
  return {
    url: `http://127.0.0.1:${front.port}`,
    engineUrl: () => `http://127.0.0.1:${keeper.running().process.port}`,
    enginePid: () => keeper.current()?.process.pid,
    users: engineUsers,
    get client() {
      return keeper.running().client;
    },
    crash: async () => {
      await keeper.current()?.process.kill();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
