import { readFile } from 'node:fs/promises';
import { type Config, readConfig } from '../config.ts';
import { Failure } from '../failure.ts';

/** What every verb of the shell accepts. */
export interface ShellFlags {
  readonly config?: string;
  readonly target?: string;
  readonly out?: string;
  readonly json?: boolean;
  /** A server without a config file. */
  readonly url?: string;
  readonly user?: string;
}

type Env = Readonly<Record<string, string | undefined>>;

const DEFAULT_FILE = 'memprof.yaml';

/** The config of a shell command: `--url`, or `--config`, MEMPROF_CONFIG, or memprof.yaml in this folder. */
export async function shellConfig(flags: ShellFlags, env: Env): Promise<Config> {
  if (flags.url !== undefined) {
    const target = {
      url: flags.url,
      user: flags.user ?? 'memprof',
      password: env.MEMPROF_PASSWORD ?? '',
    };
    return readConfig(JSON.stringify({ targets: { server: target } }), {}, '--url');
  }
  const path = flags.config ?? env.MEMPROF_CONFIG ?? DEFAULT_FILE;
  return readConfig(await readConfigText(path), env, path, ['slack', 'redis', 'store']);
}

/** The text of a config file; a missing one is a sentence, not a stack trace. */
export async function readConfigText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Failure('config', {
      what: `Could not read the config file ${path}`,
      why: cause instanceof Error ? cause.message : String(cause),
      fix: 'Name one with --config FILE or MEMPROF_CONFIG, or a server with --url; the README has an example',
      cause,
    });
  });
}

/** The target a command means: the one it names, or the only one there is. */
export function defaultTarget(config: Config): string | undefined {
  const names = Object.keys(config.targets);
  return names.length === 1 ? names[0] : undefined;
}
