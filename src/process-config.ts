import { readFileSync } from 'node:fs';
import { type Config, readConfig } from './config.ts';
import { Failure } from './failure.ts';

type Env = Readonly<Record<string, string | undefined>>;

const DEFAULT_FILE = 'memprof.yaml';

/** The config of bot or worker: the file that MEMPROF_CONFIG names, with what is not in it from the environment. */
export function readProcessConfig(env: Env): Config {
  const path = env.MEMPROF_CONFIG ?? DEFAULT_FILE;
  const config = readConfig(readText(path), env, path);
  const botToken = config.slack.botToken ?? env.SLACK_BOT_TOKEN;
  const appToken = config.slack.appToken ?? env.SLACK_APP_TOKEN;
  const signingSecret = config.slack.signingSecret ?? env.SLACK_SIGNING_SECRET;
  const apiUrl = config.slack.apiUrl ?? env.SLACK_API_URL;
  const healthPort = env.MEMPROF_HEALTH_PORT ?? config.healthPort;
  const isDefaultRedis = config.redis.url === readConfig('', {}, '').redis.url;
  return {
    ...config,
    // Bot and worker on one machine share a file, not a port.
    ...(healthPort === undefined ? {} : { healthPort: Number(healthPort) }),
    slack: {
      ...config.slack,
      ...(botToken === undefined ? {} : { botToken }),
      ...(appToken === undefined ? {} : { appToken }),
      ...(signingSecret === undefined ? {} : { signingSecret }),
      ...(apiUrl === undefined ? {} : { apiUrl }),
    },
    redis: {
      ...config.redis,
      url: isDefaultRedis ? (env.REDIS_URL ?? config.redis.url) : config.redis.url,
    },
  };
}

/** What must never be seen in a log. */
export function secretsOf(config: Config): readonly string[] {
  const { botToken, appToken, signingSecret } = config.slack;
  const passwords = Object.values(config.targets).map((target) =>
    target.kind === 'clickhouse' ? target.password : undefined,
  );
  return [botToken, appToken, signingSecret, ...passwords].filter((secret) => secret !== undefined);
}

/** A part of the Slack config that this process cannot do without. */
export function requireSlack(
  config: Config,
  key: 'botToken' | 'appToken' | 'signingSecret',
): string {
  const value = config.slack[key];
  if (value !== undefined && value !== '') return value;
  const variable = {
    botToken: 'SLACK_BOT_TOKEN',
    appToken: 'SLACK_APP_TOKEN',
    signingSecret: 'SLACK_SIGNING_SECRET',
  }[key];
  throw new Failure('config', {
    what: `slack.${key} is not set`,
    why:
      key === 'botToken'
        ? 'memprof cannot post without it'
        : `slack.mode is ${config.slack.mode}, which needs it`,
    fix: `Set it in the config file, or set ${variable} in the environment`,
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Failure('config', {
      what: `Could not read the config file ${path}`,
      why: cause instanceof Error ? cause.message : String(cause),
      fix: 'Name one in MEMPROF_CONFIG; the README has an example',
      cause,
    });
  }
}
