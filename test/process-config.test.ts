import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readProcessConfig, requireSlack, secretsOf } from '../src/process-config.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'memprof-config-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function config(text: string, env: Record<string, string> = {}) {
  const path = join(folder, 'memprof.yaml');
  await writeFile(path, text);
  return readProcessConfig({ MEMPROF_CONFIG: path, ...env });
}

describe('the config of bot and worker', () => {
  it('takes tokens and Redis from the environment when the file has none', async () => {
    const read = await config('targets: {}\n', {
      SLACK_BOT_TOKEN: 'xoxb-env',
      SLACK_APP_TOKEN: 'xapp-env',
      REDIS_URL: 'redis://queue:6379',
      MEMPROF_HEALTH_PORT: '8081',
    });
    expect(read.slack).toMatchObject({ botToken: 'xoxb-env', appToken: 'xapp-env' });
    expect(read.redis.url).toBe('redis://queue:6379');
    expect(read.healthPort).toBe(8081);
  });

  it('lets the file win', async () => {
    const read = await config(
      'slack: { botToken: xoxb-file }\nredis: { url: "redis://file:6379" }\n',
      { SLACK_BOT_TOKEN: 'xoxb-env', REDIS_URL: 'redis://env:6379' },
    );
    expect([read.slack.botToken, read.redis.url]).toEqual(['xoxb-file', 'redis://file:6379']);
  });

  it('knows what must never be seen in a log', async () => {
    const read = await config(
      'slack: { botToken: xoxb-1, signingSecret: sign }\ntargets:\n  prod: { url: "http://p", password: pw }\n',
    );
    expect(secretsOf(read)).toEqual(['xoxb-1', 'sign', 'pw']);
  });

  it('says which token is missing and where it goes', async () => {
    const read = await config('targets: {}\n');
    expect(() => requireSlack(read, 'appToken')).toThrow(
      expect.objectContaining({
        kind: 'config',
        what: 'slack.appToken is not set',
        why: 'slack.mode is socket, which needs it',
        fix: 'Set it in the config file, or set SLACK_APP_TOKEN in the environment',
      }),
    );
  });

  it('says that the file is not there', () => {
    const path = join(folder, 'absent.yaml');
    expect(() => readProcessConfig({ MEMPROF_CONFIG: path })).toThrow(
      expect.objectContaining({ kind: 'config', what: `Could not read the config file ${path}` }),
    );
  });
});
