import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { Failure } from '../failure.ts';
import { makeFolder } from '../make-folder.ts';

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
  await makeFolder(options.dataDir);
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

/**
 * Runs the server beside a reader of our pipe: when this process ends in any way, the pipe closes and the server
 * is told to stop. The first line is the server's pid.
 */
const BESIDE_PIPE =
  '"$@" </dev/null & server=$!; echo $server; { read -r _; kill $server; } <&3 & wait $server';

async function launch(options: LocalRedisOptions, port: number): Promise<LocalRedis | string> {
  const child = spawn(
    '/bin/sh',
    [
      ...['-c', `exec 3<&0; ${BESIDE_PIPE}`, 'redis', options.program],
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', options.dataDir],
      ...['--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec'],
      ...['--maxmemory-policy', 'noeviction', '--daemonize', 'no', '--loglevel', 'warning'],
    ],
    // Detached: Ctrl-C reaches a whole group of processes, and the queue must outlive what uses it.
    { stdio: ['pipe', 'pipe', 'pipe'], detached: true },
  );
  let said = '';
  const keep = (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-4000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      said += error.message;
      resolve();
    });
  }).then(() => {
    child.stdin.destroy();
  });
  const pid = await Promise.race([answers(port, () => Number(/^\d+/.exec(said)?.[0])), ended]);
  if (typeof pid !== 'number') {
    child.stdin.destroy();
    await ended;
    return said.trim().split('\n').slice(1).at(-1) ?? 'it ended without a word';
  }
  const stop = async () => {
    child.stdin.destroy();
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid,
    crash: async () => {
      process.kill(pid, 'SIGKILL');
      await ended;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The pid once this very server answers; undefined when ten seconds have gone. */
async function answers(port: number, pid: () => number): Promise<number | undefined> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    if (await isServedBy(port, pid())) return pid();
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return undefined;
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
