import {
  countsOfInvestigation,
  FORGET_DIGEST,
  FORGET_STATEMENTS,
  stateOfDigest,
  storeSize,
} from '../../../templates/sql/store.ts';
import type { Store } from '../../ports.ts';
import { type ClickHouseStoreOptions, openConnection, type StoreConnection } from './connection.ts';
import { migrate } from './migrate.ts';
import { profilesIn } from './profiles.ts';
import { readingsIn } from './readings.ts';

/** The store in a ClickHouse database of its own, whose tables are there for people's SQL as well. */
export function createClickHouseStore(options: ClickHouseStoreOptions): Store & AsyncDisposable {
  const { profileDays } = options;
  const connection = migrateFirst(openConnection(options));
  const { command, place, rows } = connection;
  return {
    ...readingsIn(connection),
    ...profilesIn(connection, profileDays),

    async digestState(digestId) {
      const [row] = await rows(stateOfDigest, { digestId });
      // Whoever kept it knows its shape and checks it.
      return row === undefined ? undefined : JSON.parse(row.state);
    },

    async keepDigestState(digestId, state) {
      await connection.insert('digest_states', {
        digest_id: digestId,
        state: JSON.stringify(state),
      });
    },

    async forgetDigest(digestId) {
      await command(FORGET_DIGEST, { digestId });
    },

    async forget(investigationId) {
      const [counts] = await rows(countsOfInvestigation, { investigationId });
      for (const statement of FORGET_STATEMENTS) await command(statement, { investigationId });
      return counts ?? { readings: 0, profiles: 0 };
    },

    async size() {
      const [size] = await rows(storeSize, { oldestMicros: connection.oldestMicros() });
      const { readings = 0, profiles = 0, bytes = 0, oldestMicros = 0 } = size ?? {};
      return {
        ...{ place, readings, profiles, bytes, profileDays },
        ...(oldestMicros === 0 ? {} : { oldestProfileAtMicros: oldestMicros }),
      };
    },

    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

/** The same connection; before its first word the schema is brought up, anew after a failure. */
function migrateFirst(connection: StoreConnection): StoreConnection {
  let migrated: Promise<void> | undefined;
  const ready = () => {
    migrated ??= migrate(connection).catch((thrown: unknown) => {
      migrated = undefined;
      throw thrown;
    });
    return migrated;
  };
  return {
    ...connection,
    rows: async (query, params) => {
      await ready();
      return connection.rows(query, params);
    },
    insert: async (table, row) => {
      await ready();
      return connection.insert(table, row);
    },
    command: async (...args) => {
      await ready();
      return connection.command(...args);
    },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}
