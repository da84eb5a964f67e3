import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Failure } from '../failure.ts';

export interface OwnProcess {
  readonly name: string;
  readonly pid: number;
  /** Resolves when it has ended, with the last lines that it wrote. */
  readonly ended: Promise<string>;
  /** Asks it to stop, and makes it stop when it does not within ten seconds. */
  stop(): Promise<void>;
}

export interface OwnProcessOptions {
  /** "bot": for messages, and the name of its log file. */
  readonly name: string;
  /** Path below dist: "src/bot.js". */
  readonly entry: string;
  readonly logFile: string;
  readonly env: Readonly<Record<string, string>>;
}

const GRACE_MS = 10_000;

/** Starts the bot or a worker as the container would, with its log in a file. */
export async function startOwnProcess(options: OwnProcessOptions): Promise<OwnProcess> {
  const log = createWriteStream(options.logFile, { flags: 'a' });
  await once(log, 'open');
  const child = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      new URL(import.meta.resolve('#dist/src/local/child.js')).pathname,
      import.meta.resolve(`#dist/${options.entry}`),
    ],
    // Detached: Ctrl-C is for the demo, which then stops its processes in their order.
    { stdio: ['pipe', 'pipe', 'pipe'], detached: true, env: { ...inherited(), ...options.env } },
  );
  const tail: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      log.write(chunk);
      tail.push(chunk.toString());
      if (tail.length > 20) tail.shift();
    });
  }
  child.stdin.on('error', () => {});
  const ended = new Promise<string>((resolve) => {
    child.once('close', () =>
      log.end(() => resolve(tail.join('').split('\n').slice(-12).join('\n'))),
    );
  });
  if (child.pid === undefined) {
    throw new Failure('environment', {
      what: `The ${options.name} did not start`,
      why: await ended,
      fix: 'See whether node can be run',
    });
  }
  return { name: options.name, pid: child.pid, ended, stop: () => stop(child, ended) };
}

async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  await ended;
  clearTimeout(force);
}

/** What a child needs to run at all; nothing that is a setting of memprof. */
function inherited(): Record<string, string> {
  // biome-ignore lint/style/noProcessEnv: a child process needs PATH and the like.
  const env = process.env;
  const names = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'NODE_EXTRA_CA_CERTS'];
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
