import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Engine } from './clickhouse/engine.ts';
import type { DemoRedis } from './demo-redis.ts';
import type { Workspace } from './slack/workspace.ts';

/** The name of the embedded engine in the demo's config. */
const DEMO_TARGET = 'local';

export interface DemoConfig {
  readonly file: string;
  /** What the config takes from the environment, as a real one does. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Writes the config of the demo's bot and worker, which also `npx memprof … --config` can use while it runs. */
export async function writeDemoConfig(
  dataDir: string,
  parts: { readonly engine: Engine; readonly workspace: Workspace; readonly redis: DemoRedis },
): Promise<DemoConfig> {
  const { engine, workspace, redis } = parts;
  const { memprof, profiled } = engine.users;
  const file = join(dataDir, 'memprof.yaml');
  const config = {
    slack: { mode: 'socket', apiUrl: workspace.apiUrl },
    redis,
    // In the engine, so that trends outlive a restart of the demo, and can be asked for by SQL.
    store: {
      ...{ kind: 'clickhouse', url: engine.url, user: engine.users.admin.user },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a config names a variable.
      ...{ password: '${MEMPROF_STORE_PASSWORD}', database: 'memprof' },
    },
    targets: {
      [DEMO_TARGET]: { url: engine.url, ...memprof, run: { ...profiled, maxMemoryMiB: 4096 } },
    },
    // Nobody's server is at stake here, so everybody may do everything.
    rights: [{ verbs: ['flush', 'run', 'sample'] }],
  };
  await writeFile(
    file,
    `# Written by memprof demo; gone with the next start.\n${stringify(config)}`,
  );
  return {
    file,
    secrets: {
      SLACK_BOT_TOKEN: workspace.botToken,
      SLACK_APP_TOKEN: workspace.appToken,
      SLACK_SIGNING_SECRET: workspace.signingSecret,
      MEMPROF_STORE_PASSWORD: engine.users.admin.password,
    },
  };
}
