import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Failure } from '../../failure.ts';
import type { DataFolder } from './data-folder.ts';
import { engineLibraryPath } from './library.ts';

/** The genuine engine in a child process of its own, listening on a port of 127.0.0.1. */
export interface EngineProcess {
  readonly pid: number;
  readonly port: number;
  /** Resolves when it is gone, with what it said last. */
  readonly ended: Promise<string>;
  /** Lets it end cleanly, and makes it end when it does not. */
  stop(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
}

export interface EngineProcessOptions {
  /** log2 of the sampling interval in bytes. */
  readonly lgProfSample: number;
  /** Told as soon as there is a process, before it answers. */
  readonly started: (pid: number) => Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;

/**
 * Starts the engine on a prepared folder. It runs until the pipe that we hold open is closed: by `stop`, or by our
 * own end, however that comes, so that no orphan stays.
 */
export async function startEngineProcess(
  folder: DataFolder,
  { lgProfSample, started }: EngineProcessOptions,
): Promise<EngineProcess> {
  const library = engineLibraryPath();
  await rm(folder.keepPipe, { force: true });
  await promisify(execFile)('mkfifo', ['-m', '600', folder.keepPipe]);
  const child = spawnHost(library, folder, lgProfSample);
  const ended = endOf(child);
  // Read and write: opening for writing alone would wait until the engine opens the other end.
  const keep = openSync(folder.keepPipe, 'r+');
  let isOpen = true;
  const release = () => {
    if (isOpen) closeSync(keep);
    isOpen = false;
  };
  void ended.then(async () => {
    release();
    await rm(folder.keepPipe, { force: true });
  });
  if (child.pid !== undefined) await started(child.pid);
  const port = await Promise.race([portFrom(folder.portFile), ended]);
  if (typeof port === 'string' || child.pid === undefined) {
    release();
    child.kill('SIGKILL');
    const said = await ended;
    throw notStarted(typeof port === 'string' ? port : said);
  }
  const end = async (kill: () => void) => {
    kill();
    release();
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(force);
  };
  return {
    pid: child.pid,
    port,
    ended,
    stop: () => end(() => {}),
    kill: () => end(() => child.kill('SIGKILL')),
  };
}

function spawnHost(library: string, folder: DataFolder, lgProfSample: number): ChildProcess {
  return spawn(
    process.execPath,
    [
      new URL(import.meta.resolve('#dist/src/local/clickhouse/host.js')).pathname,
      library,
      `--config-file=${folder.configFile}`,
      '--http_port=0',
      '--listen_host=127.0.0.1',
      ...['--queries-file', folder.startFile, folder.keepPipe],
    ],
    {
      // What it writes beside its folder by mistake (a dump without a path) must not lie where we were started.
      cwd: folder.root,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      // A group of its own: SYSTEM SHUTDOWN signals the whole group, and Ctrl-C must not reach it before us.
      detached: true,
      env: { ...essentialEnvironment(), JE_MALLOC_CONF: allocatorOptions(folder, lgProfSample) },
    },
  );
}

/** Resolves when the process is gone, with the last that it said. */
function endOf(child: ChildProcess): Promise<string> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-4000);
  });
  return new Promise((resolve) => {
    child.once('close', (code, signal) => resolve(`${said.trim()} (${signal ?? `code ${code}`})`));
    child.once('error', (error) => resolve(error.message));
  });
}

/**
 * The library reads JE_MALLOC_CONF, not MALLOC_CONF. All threads are sampled from the start, as with a server's
 * jemalloc_enable_global_profiler, which does nothing in this build.
 */
function allocatorOptions(folder: DataFolder, lgProfSample: number): string {
  return [
    'prof:true,prof_active:true,prof_thread_active_init:true',
    `lg_prof_sample:${lgProfSample}`,
    // Heap dumps do not tell arenas: with one for all threads, the 0 in jemalloc_sampled_allocations is true.
    'percpu_arena:disabled,narenas:1',
    `prof_prefix:${folder.dumpDir}/heap`,
  ].join(',');
}

async function portFrom(file: string): Promise<number | string> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const port = Number(await readFile(file, 'utf8').catch(() => ''));
    if (port > 0) return port;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return `no answer within ${START_TIMEOUT_MS / 1000} s`;
}

function notStarted(said: string): Failure {
  return new Failure('environment', {
    what: 'The embedded ClickHouse engine did not start',
    why: said.slice(0, 500),
    fix: 'See whether its data folder can be written and whether there is memory left, or name another folder',
  });
}

function essentialEnvironment(): Record<string, string> {
  // biome-ignore lint/style/noProcessEnv: the child needs PATH and the like; nothing of it is a setting.
  const { PATH = '', HOME = '', LANG = 'C.UTF-8' } = process.env;
  return { PATH, HOME, LANG, TZ: 'UTC' };
}
