import type { Store } from '../../ports.ts';
import { openConnection, type RedisStoreOptions } from './connection.ts';
import { profilesIn } from './profiles.ts';
import { readingsIn } from './readings.ts';
import { FORGET, KEEP_DIGEST, SIZE } from './scripts.ts';

/** The store in Redis, over a connection of its own. */
export function createRedisStore(options: RedisStoreOptions): Store & AsyncDisposable {
  const { budgetBytes, profileDays } = options;
  const connection = openConnection(options);
  const { ask, place, prefix, redis, run } = connection;
  return {
    ...readingsIn(connection, budgetBytes),
    ...profilesIn(connection, options),

    async digestState(digestId) {
      const json = await ask(() => redis.hget(`${prefix}:digests`, digestId));
      // Whoever kept it knows its shape and checks it.
      return json === null ? undefined : JSON.parse(json);
    },

    async keepDigestState(digestId, state) {
      const json = Buffer.from(JSON.stringify(state));
      await connection.keep(json.length, KEEP_DIGEST, digestId, json);
    },

    async forgetDigest(digestId) {
      await ask(() => redis.hdel(`${prefix}:digests`, digestId));
    },

    async forget(investigationId) {
      const [readings = 0, profiles = 0] = numbers(await ask(() => run(FORGET, investigationId)));
      return { readings, profiles };
    },

    async size() {
      const answer = numbers(await ask(() => run(SIZE, connection.oldestMicros())));
      const [readings = 0, profiles = 0, bytes = 0, oldestProfileAtMicros = 0] = answer;
      return {
        ...{ place, readings, profiles, bytes, budgetBytes, profileDays },
        ...(oldestProfileAtMicros === 0 ? {} : { oldestProfileAtMicros }),
      };
    },

    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

function numbers(answer: unknown): readonly number[] {
  return Array.isArray(answer) ? answer.map(Number) : [];
}
