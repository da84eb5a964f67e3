import type { Redis } from 'ioredis';
import * as z from 'zod';
import { type Investigation, investigationStates } from '../investigation.ts';
import type { Investigations } from '../ports.ts';
import type { Milliseconds } from '../units.ts';
import { keysOf } from './keys.ts';
import { answerOf } from './redis.ts';

export interface RedisStoreOptions {
  readonly redis: Redis;
  readonly prefix: string;
  /** How long a caller waits for Redis. */
  readonly deadlineMs: Milliseconds;
  /** How long after its last change an investigation is forgotten. */
  readonly keepDays?: number;
}

export const KEEP_DAYS = 14;
const RECENT_COUNT = 50;

/** What does not change is one field, so that "was this request noted before?" is one question to Redis. */
const Opened = z.object({
  id: z.string(),
  command: z.string(),
  verb: z.string(),
  target: z.string().optional(),
  user: z.string(),
  channel: z.string(),
  threadTs: z.string().optional(),
  openedAtMicros: z.number(),
  request: z.record(z.string(), z.unknown()),
});

const Noted = z.object({
  state: z.enum(investigationStates).default('opening'),
  ts: z.string().optional(),
  stage: z.string().optional(),
  finding: z.string().optional(),
  cancelledBy: z.string().optional(),
});

const OPEN = `
if redis.call('HSETNX', KEYS[1], 'opened', ARGV[1]) == 0 then return 0 end
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[4])
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[4])
redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -1 - ARGV[5])
redis.call('EXPIRE', KEYS[3], ARGV[2])
return 1`;

/** Touching it keeps other processes off until it is stale again. */
const TAKE_STALE = `
local id = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[1], 'LIMIT', 0, 1)[1]
if id then redis.call('ZADD', KEYS[1], ARGV[2], id) end
return id`;

/** The index of investigations: a hash each, a list a person, and the openings that are not finished. */
export function createInvestigations(options: RedisStoreOptions): Investigations {
  const { redis, prefix, deadlineMs } = options;
  const keys = keysOf(prefix);
  const keepSeconds = (options.keepDays ?? KEEP_DAYS) * 86_400;
  const answer = <T>(command: Promise<T>) => answerOf('store-unavailable', deadlineMs, command);

  async function get(id: string): Promise<Investigation | undefined> {
    return toInvestigation(await answer(redis.hgetall(keys.investigation(id))));
  }

  return {
    async open(investigation) {
      const { id, user, openedAtMicros } = investigation;
      const opened = JSON.stringify(Opened.parse(investigation));
      const created = await answer(
        redis.eval(
          OPEN,
          3,
          ...[keys.investigation(id), keys.openings, keys.recent(user)],
          ...[opened, keepSeconds, openedAtMicros, id, RECENT_COUNT],
        ),
      );
      return created === 1;
    },

    async note(id, note) {
      const { state, ...others } = note;
      const fields = Object.entries(others).filter((entry) => entry[1] !== undefined);
      const key = keys.investigation(id);
      const change = redis.multi();
      if (fields.length > 0) change.hset(key, Object.fromEntries(fields));
      // A worker may have begun before the bot could say that it is queued.
      if (state === 'queued') change.hsetnx(key, 'state', state);
      else if (state !== undefined && state !== 'opening') change.hset(key, 'state', state);
      if (state === 'opening') change.zadd(keys.openings, 'XX', Date.now() * 1000, id);
      else if (state !== undefined) change.zrem(keys.openings, id);
      await answer(change.expire(key, keepSeconds).exec());
    },

    get,

    async recent(user, limit) {
      const ids = await answer(redis.zrevrange(keys.recent(user), 0, limit - 1));
      const found = await Promise.all(ids.map(get));
      return found.filter((investigation) => investigation !== undefined);
    },

    async takeStaleOpening(beforeMicros) {
      const id = await answer(
        redis.eval(TAKE_STALE, 1, keys.openings, beforeMicros, Date.now() * 1000),
      );
      if (typeof id !== 'string') return undefined;
      const investigation = await get(id);
      // Forgotten by now: nothing is left to finish.
      if (investigation === undefined) await answer(redis.zrem(keys.openings, id));
      return investigation;
    },
  };
}

function toInvestigation(fields: Record<string, string>): Investigation | undefined {
  if (fields.opened === undefined) return undefined;
  const { threadTs, target, ...opened } = Opened.parse(JSON.parse(fields.opened));
  const noted = Object.entries(Noted.parse(fields)).filter((entry) => entry[1] !== undefined);
  return {
    ...opened,
    ...(threadTs === undefined ? {} : { threadTs }),
    ...(target === undefined ? {} : { target }),
    state: 'opening',
    ...Object.fromEntries(noted),
  };
}
