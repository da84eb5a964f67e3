import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClickHouse } from '../../../src/clickhouse/client.ts';
import { readConfig } from '../../../src/config.ts';
import type { Engine } from '../../../src/local/clickhouse/engine.ts';
import {
  assignProfile,
  createProfile,
  sampleProfile,
} from '../../../templates/sql/sample-profile.ts';
import { startTestEngine } from '../../support/engine.ts';

let engine: Engine;
let clickhouse: ReturnType<typeof createClickHouse>;
beforeAll(async () => {
  engine = await startTestEngine();
  const { admin, memprof } = engine.users;
  const targets = {
    prod: { ...admin, url: engine.url },
    poor: { ...memprof, url: engine.url },
  };
  clickhouse = createClickHouse(readConfig(JSON.stringify({ targets }), {}, 'test'));
}, 60_000);
afterAll(async () => {
  await clickhouse[Symbol.asyncDispose]();
  await engine.stop();
});

const signal = new AbortController().signal;

/** The embedded engine keeps no users of its own, but its parser and its tables are those of a server. */
describe('what sample says to a server', () => {
  it.each([
    ['nobody', []],
    ['one', ['etl']],
    ['several', ['bi-1', 'etl.x', 'who@host']],
  ])('is understood by its parser: %s', async (_, grantees) => {
    const create = clickhouse.statement('prod', createProfile('memprof_sampling', grantees), {
      signal,
    });
    // Nobody of that name, or no storage to write to: both come after the parser.
    await expect(create).rejects.toThrow(/keeps its users in files alone|There is no role/);
    const alter = clickhouse.statement('prod', assignProfile('memprof_sampling', grantees), {
      signal,
    });
    await expect(alter).rejects.toThrow(/There is no settings profile|There is no role/);
  });

  it('reads back from a table that has these columns', async () => {
    const options = { signal };
    expect(await clickhouse.rows('prod', sampleProfile, { profile: 'readonly' }, options)).toEqual([
      { isForAll: false, grantees: [] },
    ]);
    expect(await clickhouse.rows('prod', sampleProfile, { profile: 'absent' }, options)).toEqual(
      [],
    );
  });

  it('is refused with the grant to ask for', async () => {
    const create = clickhouse.statement('poor', createProfile('memprof_sampling', []), { signal });
    await expect(create).rejects.toMatchObject({
      kind: 'grant-missing',
      paste: 'GRANT CREATE SETTINGS PROFILE ON *.* TO memprof;',
    });
  });
});

it('never says a name that could be more than a name', () => {
  expect(() => assignProfile('memprof_sampling', ['a`, ALL'])).toThrow(
    /is not a name that memprof/,
  );
  expect(() => assignProfile('x`; DROP USER y', [])).toThrow(/is not a name that memprof/);
});
