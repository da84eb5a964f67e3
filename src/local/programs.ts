import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { Failure } from '../failure.ts';

/** A program that the demo or the tests need from the system, and the packages that bring it. */
export interface SystemProgram {
  /** Any of these names will do, the first that is found. */
  readonly names: readonly string[];
  /** What it is for, to say why it is installed: "the queue". */
  readonly purpose: string;
  readonly debian: string;
  readonly fedora: string;
  readonly homebrew: string;
}

export const redisServer: SystemProgram = {
  names: ['redis-server', 'valkey-server'],
  purpose: 'the queue',
  debian: 'redis-server',
  fedora: 'valkey',
  homebrew: 'redis',
};

export const chromium: SystemProgram = {
  names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
  purpose: 'the tests in a browser',
  debian: 'chromium',
  fedora: 'chromium',
  homebrew: '--cask chromium',
};

/** Path of a program in PATH (and in sbin, which is not in everybody's), or undefined. */
export async function findProgram({ names }: SystemProgram): Promise<string | undefined> {
  // biome-ignore lint/style/noProcessEnv: PATH is where programs are; it is no setting of memprof.
  const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/sbin', '/usr/local/sbin');
  for (const name of names) {
    for (const folder of folders) {
      const path = join(folder, name);
      const isThere = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isThere) return path;
    }
  }
  return undefined;
}

/**
 * The path of the program. When it is missing, installs Debian's package if that is possible (root on a Debian
 * system), telling what it does; else throws `environment` with the command for each kind of system.
 */
export async function requireProgram(
  program: SystemProgram,
  tell: (line: string) => void,
): Promise<string> {
  const found = await findProgram(program);
  if (found !== undefined) return found;
  const canInstall = process.getuid?.() === 0 && (await isDebian());
  if (!canInstall) throw missing(program);
  tell(`Installing Debian's ${program.debian} for ${program.purpose} (it is not here yet) …`);
  const failed = await aptInstall(program.debian);
  const installed = await findProgram(program);
  if (installed !== undefined) return installed;
  throw missing(program, failed);
}

function missing(program: SystemProgram, aptSaid?: string): Failure {
  return new Failure('environment', {
    what: `${program.names[0]} is not installed, and ${program.purpose} needs it`,
    ...(aptSaid === undefined ? {} : { why: `apt-get could not install it: ${aptSaid}` }),
    fix: 'Install it with the line for your system and start again',
    paste: [
      `sudo apt-get install -y ${program.debian}`,
      `sudo dnf install -y ${program.fedora}`,
      `brew install ${program.homebrew}`,
    ].join('\n'),
  });
}

async function isDebian(): Promise<boolean> {
  const marks = ['/etc/debian_version', '/usr/bin/apt-get'];
  const there = await Promise.all(
    marks.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return there.every(Boolean);
}

/** Installs a package; resolves to apt's last words when it failed. A stale list of packages is fetched once. */
async function aptInstall(name: string): Promise<string | undefined> {
  const install = ['install', '-y', '--no-install-recommends', name];
  if ((await apt(install)) === undefined) return undefined;
  await apt(['update']);
  return apt(install);
}

function apt(args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn('apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      // RUNLEVEL=1 keeps the package from starting a service of its own.
      // biome-ignore lint/style/noProcessEnv: apt needs the environment it was called in.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-2000);
    });
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) =>
      resolve(code === 0 ? undefined : (said.trim().split('\n').at(-1) ?? `exit code ${code}`)),
    );
  });
}
