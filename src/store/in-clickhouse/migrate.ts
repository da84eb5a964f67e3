import { CREATE_DATABASE, schemaVersion } from '../../../templates/sql/store.ts';
import {
  type Migration,
  migrations as ownMigrations,
  SCHEMA_VERSIONS,
} from '../../../templates/sql/store-migrations.ts';
import { toFailure } from '../../failure.ts';
import { newerSchema } from '../store-failure.ts';
import type { StoreConnection } from './connection.ts';

/**
 * Brings the database to the newest schema that this memprof knows; several may do so at once. Nothing but a read
 * happens when it is there already, so that the store's user needs no right to create once it stands. Throws
 * `environment` for a schema from the future.
 */
export async function migrate(
  connection: StoreConnection,
  migrations: readonly Migration[] = ownMigrations,
): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0;
  const found = await versionOf(connection);
  if (found !== undefined && found > newest) throw newerSchema(connection.place, found, newest);
  if (found === undefined) {
    await connection.commandOutside(CREATE_DATABASE, { database: connection.database });
    await connection.command(SCHEMA_VERSIONS);
  }
  for (const { version, statements } of migrations) {
    if (version <= (found ?? 0)) continue;
    for (const statement of statements) await connection.command(statement);
    await connection.insert('schema_versions', { version });
  }
}

/** Undefined when there is no database or no table of versions. */
async function versionOf(connection: StoreConnection): Promise<number | undefined> {
  try {
    const [row] = await connection.rows(schemaVersion, {});
    return row?.version ?? 0;
  } catch (thrown) {
    if (isAbsent(thrown)) return undefined;
    throw thrown;
  }
}

/** UNKNOWN_TABLE, UNKNOWN_DATABASE. */
function isAbsent(thrown: unknown): boolean {
  const { cause } = toFailure(thrown);
  return cause instanceof Error && 'code' in cause && (cause.code === '60' || cause.code === '81');
}
