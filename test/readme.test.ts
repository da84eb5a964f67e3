import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jobs } from '../jobs/index.ts';
import { readConfig } from '../src/config.ts';
import { engineTruths } from '../src/local/clickhouse/emulated.ts';
import { neededGrants } from '../src/local/clickhouse/grants.ts';
import { scopeReasons } from '../src/local/slack/scopes.ts';

const root = dirname(createRequire(import.meta.url).resolve('#package'));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const manifest: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

describe('the README', () => {
  it('asks for exactly the grants that the embedded memprof user has', () => {
    const lines = neededGrants.map(
      ({ grant, why, isOptional }) =>
        `GRANT ${grant} TO memprof; -- ${isOptional ? 'optional: ' : ''}${why}`,
    );
    const asked = readme.split('\n').filter((line) => /^GRANT .* -- /.test(line));
    expect(asked).toEqual(lines);
  });

  it('lists every verb with its usage and what it does', () => {
    const rows = jobs.map(
      ({ usage, summary, isRestricted }) =>
        `| \`${usage.replaceAll('|', '\\|')}\`${isRestricted ? ' ◆' : ''} | ${summary} |`,
    );
    for (const row of rows) expect(readme).toContain(row);
  });

  it('says what of the engine is real, as the demo does', () => {
    for (const { what, truth, how } of engineTruths) {
      expect(readme).toContain(`| ${what} | ${truth} | ${how} |`);
    }
  });

  it('says why each scope of the Slack app is asked for', () => {
    const manifest: { oauth_config: { scopes: { bot: string[] } } } = JSON.parse(
      readFileSync(join(root, 'templates/slack-manifest.json'), 'utf8'),
    );
    for (const scope of manifest.oauth_config.scopes.bot) {
      expect(readme).toContain(`| \`${scope}\` | ${scopeReasons[scope]} |`);
    }
  });

  it('has a config example that memprof accepts', () => {
    const example = /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const config = readConfig(example, { CH_PASSWORD: 'x', CH_RUN_PASSWORD: 'y' }, 'README.md');
    expect(Object.keys(config.targets)).toEqual(['prod-1', 'keeper-1']);
  });

  it('names only scripts and files that exist', () => {
    for (const [, script] of readme.matchAll(/npm run ([\w:]+)/g)) {
      expect(Object.keys(manifest.scripts)).toContain(script);
    }
    for (const [, path] of readme.matchAll(/\]\(([\w./-]+)\)/g)) {
      expect(() => readFileSync(join(root, path ?? '')), path).not.toThrow();
    }
    for (const [, path] of readme.matchAll(/(?:dist\/)((?:src|test)\/[\w/-]+)\.js/g)) {
      expect(() => readFileSync(join(root, `${path}.ts`)), path).not.toThrow();
    }
  });
});
