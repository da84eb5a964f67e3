import type { Redis } from 'ioredis';
import type { EditBudget } from '../ports.ts';
import { keysOf } from './keys.ts';

/**
 * Slack allows about 50 edits a minute in a workspace (chat.update is tier 3). Progress may use this many of them;
 * the rest is for answers.
 */
const PROGRESS_EDITS_A_MINUTE = 30;

/** Progress edits counted over all workers, minute by minute. While Redis is away there are none. */
export function createEditBudget(
  redis: Redis,
  prefix: string,
  editsPerMinute = PROGRESS_EDITS_A_MINUTE,
): EditBudget {
  const keys = keysOf(prefix);
  return {
    async take() {
      if (redis.status !== 'ready') return false;
      const key = keys.edits(Math.floor(Date.now() / 60_000));
      try {
        const counted = await redis.multi().incr(key).expire(key, 120).exec();
        return Number(counted?.[0]?.[1]) <= editsPerMinute;
      } catch {
        return false;
      }
    },
  };
}
