import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Leases, Log, SamplingLease } from '../ports.ts';
import { type LeaseEnd, LeaseSchema } from '../sampling-lease.ts';
import type { Milliseconds } from '../units.ts';
import { keysOf, QUEUE_NAME } from './keys.ts';
import { answerOf } from './redis.ts';

export interface LeasesOptions {
  readonly redis: Redis;
  readonly prefix: string;
  readonly deadlineMs: Milliseconds;
  readonly log: Log;
}

const JOB_NAME = 'lease-end';

const PUT = `
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
return redis.call('HGET', KEYS[1], ARGV[1])`;

/** Changes the end of what is still there; never later than it was. */
const SHORTEN = `
local standing = redis.call('HGET', KEYS[1], ARGV[1])
if not standing or cjson.decode(standing).endsAtMicros <= tonumber(ARGV[2]) then return end
redis.call('HSET', KEYS[1], ARGV[1], (string.gsub(standing, '("endsAtMicros":)%d+', '%1' .. ARGV[2])))`;

const CONFIRM = `
local standing = redis.call('HGET', KEYS[1], ARGV[1])
if not standing then return end
redis.call('HSET', KEYS[1], ARGV[1], (string.gsub(standing, '("isConfirmed":)false', '%1true')))`;

/**
 * Leases in a hash of our own, which is what counts; a delayed job of BullMQ's wakes a worker when one ends. The lease
 * is there before anything is switched on, so that whoever starts next knows of it.
 */
export function createLeases(options: LeasesOptions): Leases & AsyncDisposable {
  const { redis, deadlineMs } = options;
  const { leases } = keysOf(options.prefix);
  const queue = new Queue(QUEUE_NAME, { connection: redis, prefix: options.prefix });
  queue.on('error', (error) => options.log.debug({ err: error }, 'leases connection'));
  const answer = <T>(command: Promise<T>) => answerOf('store-unavailable', deadlineMs, command);

  return {
    async put(lease) {
      const json = JSON.stringify(lease);
      const standing = readLease(await answer(redis.eval(PUT, 1, leases, lease.id, json)));
      await answer(wakeAtEnd(queue, standing));
      return standing;
    },

    async list() {
      return Object.values(await answer(redis.hgetall(leases)))
        .map(readLease)
        .sort((a, b) => a.startedAtMicros - b.startedAtMicros || (a.id < b.id ? -1 : 1));
    },

    async confirm(id) {
      await answer(redis.eval(CONFIRM, 1, leases, id));
    },

    async shorten(id, endsAtMicros) {
      await answer(redis.eval(SHORTEN, 1, leases, id, Math.round(endsAtMicros)));
    },

    async remove(id) {
      await answer(redis.hdel(leases, id));
    },

    [Symbol.asyncDispose]: () => queue.close(),
  };
}

function readLease(json: unknown): SamplingLease {
  return LeaseSchema.parse(JSON.parse(String(json)));
}

async function wakeAtEnd(queue: Queue, { id, endsAtMicros }: SamplingLease): Promise<void> {
  await queue.add(JOB_NAME, { leaseId: id } satisfies LeaseEnd, {
    jobId: `${JOB_NAME}-${id}`,
    delay: Math.max(0, endsAtMicros / 1000 - Date.now()),
    removeOnComplete: true,
    removeOnFail: true,
  });
}
