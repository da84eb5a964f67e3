import type { DeliveryRecord } from '../ports.ts';
import { KEEP_DAYS, type RedisStoreOptions } from './investigations.ts';
import { keysOf } from './keys.ts';
import { answerOf } from './redis.ts';

const CLAIM = `
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return redis.call('HGET', KEYS[1], ARGV[1])`;

/** The delivery record: a hash an investigation, a field a step. */
export function createDeliveryRecord(options: RedisStoreOptions): DeliveryRecord {
  const { redis, prefix, deadlineMs } = options;
  const keys = keysOf(prefix);
  const keepSeconds = (options.keepDays ?? KEEP_DAYS) * 86_400;
  const answer = <T>(command: Promise<T>) => answerOf('store-unavailable', deadlineMs, command);
  return {
    read: (id) => answer(redis.hgetall(keys.delivery(id))),

    async note(id, step, value) {
      const key = keys.delivery(id);
      await answer(redis.multi().hset(key, step, value).expire(key, keepSeconds).exec());
    },

    async claim(id, step, value) {
      const standing = await answer(
        redis.eval(CLAIM, 1, keys.delivery(id), step, value, keepSeconds),
      );
      return String(standing);
    },
  };
}
