import type { Count } from '../../units.ts';
import type { Engine } from './engine.ts';

/** As few rows as waste 4 MiB or more for certain: 5 to 8 MiB within some ten seconds. */
const FRAGMENTING_ROWS: Count = 3000;

/**
 * Makes the engine waste memory in its slabs as small inserts in production do: blocks of one row go to two tables in
 * memory at once, one keeps every eighth of them, the other is emptied. What is kept lies alone in slabs that were
 * full. Everything about it is real.
 */
export async function fragmentSlabs(engine: Engine, rows = FRAGMENTING_ROWS): Promise<void> {
  const columns = '(id UInt64, name String, labels Map(String, String))';
  for (const statement of [
    `CREATE TABLE events_in ${columns} ENGINE = Null`,
    `CREATE TABLE events_kept ${columns} ENGINE = Memory`,
    `CREATE TABLE events_passing ${columns} ENGINE = Memory`,
    'CREATE MATERIALIZED VIEW passing_view TO events_passing AS SELECT * FROM events_in',
    'CREATE MATERIALIZED VIEW kept_view TO events_kept AS SELECT * FROM events_in WHERE id % 8 = 0',
    `INSERT INTO events_in
      SELECT number, repeat('x', 20 + number % 60), map('k' || toString(number), repeat('v', number % 40))
      FROM numbers(${rows})
      SETTINGS max_block_size = 1, min_insert_block_size_rows = 0, min_insert_block_size_bytes = 0,
        max_insert_threads = 1, max_threads = 1`,
    'TRUNCATE TABLE events_passing',
    // Unused pages go back; what old objects hold in slabs does not.
    'SYSTEM JEMALLOC PURGE',
  ]) {
    await engine.client.run(statement);
  }
}
