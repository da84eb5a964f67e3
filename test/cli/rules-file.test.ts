import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diff } from '../../src/cli/diff.ts';
import { render } from '../../src/cli/render.ts';
import { readRules } from '../../src/cli/rules-file.ts';
import { top } from '../../src/cli/top.ts';
import { createShell, temporaryFolder } from '../support/file-io.ts';

const STACKS = 'main;DB::MyFeature::load 70\nmain;DB::Aggregator::execute 30\n';
const RULES = '- { subsystem: my feature, pattern: "DB::MyFeature" }\n';

function fileOf(text: string, name = 'rules.yaml'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
}

describe('rules of a team', () => {
  it.each([
    ['a list', RULES],
    ['a config, whatever else it has', `targets: { x: 1 }\nsubsystems:\n  ${RULES}`],
    ['a list in JSON', '[{"subsystem":"my feature","pattern":"DB::MyFeature"}]'],
  ])('are read from %s', async (_, text) => {
    expect(await readRules({ rules: fileOf(text) })).toEqual([
      { subsystem: 'my feature', pattern: /DB::MyFeature/ },
    ]);
  });

  it('are none without a file', async () => expect(await readRules({})).toEqual([]));

  it.each([
    ['[{ subsystem: x, pattern: "(" }]', /Rule 1, pattern: is not a regular expression/],
    [`${RULES}- { subsystem: x }`, /Rule 2, pattern: /],
    ['[{ subsystem: x, pattern: y, colour: red }]', /Rule 1: .*colour/],
    ['subsystems: nothing', /The list: /],
    ['hello', /It is neither a list of rules nor a config with subsystems/],
    ['', /It is neither a list of rules/],
    ['[{ subsystem: ', /rules\.yaml have a fault\. \S/],
  ])('with a fault are refused with a sentence: %s', async (text, sentence) => {
    const refused = readRules({ rules: fileOf(text) });
    await expect(refused).rejects.toThrow(sentence);
    await expect(refused).rejects.toMatchObject({
      kind: 'config',
      paste: '- { subsystem: my feature, pattern: "DB::MyFeature" }',
    });
  });

  it('that cannot be read are refused before the profile is looked at', async () => {
    await expect(top('-', { rules: '/nowhere/rules.yaml' }, createShell(STACKS))).rejects.toThrow(
      /Could not read the rules in \/nowhere\/rules\.yaml/,
    );
  });

  it('come before the bundled ones in top, render and diff', async () => {
    const rules = fileOf(RULES);
    const shell = createShell(STACKS);
    await top('-', { rules, json: true }, shell);
    const { subsystems } = JSON.parse(shell.printed.join(''));
    expect(subsystems[0]).toMatchObject({ subsystem: 'my feature', share: 0.7 });

    const out = join(temporaryFolder(), 'heap.svg');
    await render('-', { rules, out }, createShell(STACKS));
    expect(readFileSync(out, 'utf8')).toContain('my feature');

    const before = fileOf('main;DB::MyFeature::load 10\n', 'before.collapsed');
    await diff([before, '-'], { rules, out }, createShell(STACKS));
    expect(readFileSync(out, 'utf8')).toContain('my feature');
  });
});
