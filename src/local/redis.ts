import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { Failure } from '../failure.ts';

export interface LocalRedis extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Stops it at once, as a power cut would; data that was acknowledged is in the append-only file. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

export interface LocalRedisOptions {
  /** Path of redis-server or valkey-server. */
  readonly program: string;
  readonly dataDir: string;
  /** A free one unless said. */
  readonly port?: number;
}

/**
 * A Redis of our own on 127.0.0.1 with what BullMQ asks for: noeviction, and an append-only file in the data
 * folder. It dies with this process's `stop`; nothing of it lies outside `dataDir`.
 */
export async function startRedis(options: LocalRedisOptions): Promise<LocalRedis> {
  await mkdir(options.dataDir, { recursive: true });
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    const started = await launch(options, port);
    if (typeof started !== 'string') return started;
    // Somebody else may take a free port between the look and the start.
    if (options.port !== undefined || attempt === 3) {
      throw new Failure('environment', {
        what: `redis-server did not start on port ${port}`,
        why: started,
        fix: 'Free the port or the folder, or name a Redis that runs in REDIS_URL',
      });
    }
  }
}

async function launch(options: LocalRedisOptions, port: number): Promise<LocalRedis | string> {
  const child = spawn(
    options.program,
    [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', options.dataDir],
      ...['--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec'],
      ...['--maxmemory-policy', 'noeviction', '--daemonize', 'no', '--loglevel', 'warning'],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  const keep = (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-2000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', (error) => {
      said += error.message;
      resolve();
    });
  });
  const isUp = await Promise.race([answers(port, child), ended.then(() => false)]);
  if (!isUp || child.pid === undefined) {
    child.kill('SIGKILL');
    await ended;
    return said.trim().split('\n').at(-1) ?? 'it ended without a word';
  }
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: child.pid,
    crash: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  };
}

/** True once this very server answers, false when it ended or ten seconds have gone. */
async function answers(port: number, child: ChildProcess): Promise<boolean> {
  for (let attempt = 0; attempt < 400 && child.exitCode === null; attempt += 1) {
    if (child.pid !== undefined && (await isServedBy(port, child.pid))) return true;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return false;
}

/** Whether the process behind the port is ours: another Redis may have had the port before. */
function isServedBy(port: number, pid: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const answer = (value: boolean) => {
      socket.destroy();
      resolve(value);
    };
    let said = '';
    socket.once('connect', () => socket.write('INFO server\r\n'));
    socket.on('data', (data) => {
      said += data.toString();
      const found = /^process_id:(\d+)\r/m.exec(said);
      if (found !== null) answer(Number(found[1]) === pid);
    });
    socket.once('error', () => answer(false));
    socket.once('close', () => answer(false));
  });
}

/** A port that is free at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
