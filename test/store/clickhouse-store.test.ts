import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../src/local/clickhouse/engine.ts';
import type { Reading } from '../../src/reading.ts';
import { openConnection } from '../../src/store/in-clickhouse/connection.ts';
import { migrate } from '../../src/store/in-clickhouse/migrate.ts';
import { createClickHouseStore } from '../../src/store/in-clickhouse/store.ts';
import { type Migration, migrations } from '../../templates/sql/store-migrations.ts';
import { startTestEngine } from '../support/engine.ts';
import { profileOf } from '../support/profile-of.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine?.[Symbol.asyncDispose]());

const NOW = Math.floor(Date.now() / 1000) * 1e6;

const freshDatabase = () => `memprof_${randomBytes(6).toString('hex')}`;

const options = (database: string, changes: object = {}) => ({
  url: engine.url,
  ...engine.users.admin,
  database,
  profileDays: 30,
  deadlineMs: 20_000,
  clock: { nowMicros: () => NOW },
  ...changes,
});

const reading = (investigationId: string, wasteBytes: number): Reading => ({
  investigationId,
  target: 'chi-3',
  kind: 'frag',
  subject: '',
  atMicros: NOW,
  finding: 'x',
  figures: { wasteBytes },
  arenas: [0],
  wasteClasses: [
    ...[{ arena: 0, purpose: '', sizeBytes: 256, wasteBytes, utilisation: 0.2, holder: 'DB::a' }],
  ],
  queryPeaks: [],
});

describe('the schema of the store in ClickHouse', () => {
  it('is made by many at once', async () => {
    const database = freshDatabase();
    const stores = Array.from({ length: 5 }, () => createClickHouseStore(options(database)));
    await Promise.all(stores.map((store, index) => store.keepReading(reading(`i${index}`, index))));
    expect((await stores[0]?.size())?.readings).toBe(5);
    await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()));
  });

  it('is brought up from an older one, and what was kept is still there', async () => {
    const database = freshDatabase();
    {
      await using store = createClickHouseStore(options(database));
      await store.keepReading(reading('old', 7));
    }
    const next: Migration = {
      version: 2,
      statements: ["ALTER TABLE readings ADD COLUMN IF NOT EXISTS note String DEFAULT 'none'"],
    };
    await using connection = openConnection(options(database));
    await migrate(connection, [...migrations, next]);
    await migrate(connection, [...migrations, next]);
    expect(
      await engine.client.rows(`SELECT investigation_id, note FROM ${database}.readings`),
    ).toEqual([{ investigation_id: 'old', note: 'none' }]);
    expect(
      await engine.client.rows(`SELECT version FROM ${database}.schema_versions ORDER BY version`),
    ).toEqual([{ version: 1 }, { version: 2 }]);
  });

  it('goes on where a migration was cut short', async () => {
    const database = freshDatabase();
    await using connection = openConnection(options(database));
    const [first] = migrations;
    await migrate(connection, [{ version: 0, statements: (first?.statements ?? []).slice(0, 1) }]);
    await using store = createClickHouseStore(options(database));
    await store.keepProfile({ ...reading('i', 1) }, profileOf({ main: 1 }));
    expect(await store.profilesOf('i')).toHaveLength(1);
  });

  it('is refused when it is newer, with a sentence, and left alone', async () => {
    const database = freshDatabase();
    {
      await using store = createClickHouseStore(options(database));
      await store.keepReading(reading('i', 1));
    }
    await engine.client.run(`INSERT INTO ${database}.schema_versions (version) VALUES (9)`);
    await using store = createClickHouseStore(options(database));
    await expect(store.keepReading(reading('j', 1))).rejects.toMatchObject({
      kind: 'environment',
      message: expect.stringMatching(
        /^The store \(ClickHouse database memprof_\w+ at .*\) was written by a newer memprof\. It has schema 9, and this memprof knows schemas up to 1\./,
      ),
    });
    expect(await engine.client.rows(`SELECT count() AS n FROM ${database}.readings`)).toEqual([
      { n: 1 },
    ]);
  });
});

describe('the store in ClickHouse', () => {
  it('answers SQL over the history', async () => {
    const database = freshDatabase();
    await using store = createClickHouseStore(options(database));
    for (const [id, waste] of [
      ['a', 100],
      ['b', 300],
    ] as const) {
      await store.keepReading(reading(id, waste));
    }
    expect(
      await engine.client.rows(
        `SELECT target, class.size_bytes AS size, max(class.waste_bytes) AS waste, any(class.holder) AS holder
         FROM ${database}.readings FINAL ARRAY JOIN waste_classes AS class GROUP BY target, size`,
      ),
    ).toEqual([{ target: 'chi-3', size: 256, waste: 300, holder: 'DB::a' }]);
  });

  it('gives profiles a time to live on the server', async () => {
    const database = freshDatabase();
    await using store = createClickHouseStore(options(database));
    await store.keepProfile({ ...reading('i', 1), atMicros: NOW }, profileOf({ main: 1 }));
    const [row] = await engine.client.rows<{ days: number; ttl: number }>(
      `SELECT dateDiff('day', toDateTime(at), keep_until) AS days,
         (SELECT create_table_query LIKE '%TTL keep_until%' FROM system.tables
          WHERE database = '${database}' AND name = 'profiles') AS ttl
       FROM ${database}.profiles`,
    );
    expect(row).toMatchObject({ days: 30, ttl: 1 });
  });

  it('says what is missing when it may not create its database', async () => {
    await using store = createClickHouseStore(options(freshDatabase(), { ...engine.users.nobody }));
    await expect(store.keepReading(reading('i', 1))).rejects.toMatchObject({
      kind: 'environment',
      what: expect.stringMatching(/^The store \(.*\) refuses memprof$/),
      paste: expect.stringMatching(
        /^GRANT CREATE DATABASE, CREATE TABLE, SELECT, INSERT, ALTER DELETE ON memprof_\w+\.\* TO nobody$/,
      ),
    });
  });

  it('says so when the password is wrong', async () => {
    await using store = createClickHouseStore(options(freshDatabase(), { password: 'wrong' }));
    await expect(store.size()).rejects.toMatchObject({
      kind: 'environment',
      what: expect.stringContaining('refuses memprof'),
    });
  });

  it('says so when nobody is there', async () => {
    await using store = createClickHouseStore(
      options(freshDatabase(), { url: 'http://127.0.0.1:1', deadlineMs: 2000 }),
    );
    await expect(store.readingsOf('i')).rejects.toMatchObject({
      kind: 'store-unavailable',
      what: expect.stringContaining('127.0.0.1:1'),
    });
  });

  it('works on after the server was started again', async () => {
    const database = freshDatabase();
    await using store = createClickHouseStore(options(database));
    await store.keepReading(reading('before', 1));
    await engine.crash();
    await expect
      .poll(() => store.readingsOf('before').catch(() => []), { timeout: 20_000 })
      .toHaveLength(1);
  });
});
