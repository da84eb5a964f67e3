import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import type { JobDelivery, ProcessJob } from '../../src/ports.ts';
import { type Consumer, createConsumer } from '../../src/queue/consumer.ts';
import { createProducer } from '../../src/queue/producer.ts';
import { connectFailFast, connectPatient, waitUntilReady } from '../../src/queue/redis.ts';
import { eventually, pause } from '../support/eventually.ts';
import { freshPrefix, startTestRedis, type TestRedis } from '../support/redis.ts';
import { silentLog } from '../support/silent-log.ts';

let redis: TestRedis;
let prefix: string;
beforeEach(async () => {
  redis = await startTestRedis();
  prefix = freshPrefix();
});
/** Undone in reverse order, before Redis goes. */
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  await redis[Symbol.asyncDispose]();
});

async function startProducer() {
  const connection = connectFailFast(redis.url, silentLog);
  await waitUntilReady(connection, 5000);
  const producer = createProducer({
    redis: connection,
    prefix,
    deadlineMs: 1500,
    log: silentLog,
  });
  cleanups.push(async () => {
    await producer[Symbol.asyncDispose]();
    connection.disconnect();
  });
  return producer;
}

async function startConsumer(process: ProcessJob, stalledAfterMs = 1000): Promise<Consumer> {
  const connection = connectPatient(redis.url, silentLog);
  const consumer = createConsumer({
    redis: connection,
    prefix,
    concurrency: 2,
    stalledAfterMs,
    process,
    log: silentLog,
  });
  cleanups.push(async () => {
    await consumer.close(100);
    connection.disconnect();
  });
  return consumer;
}

describe('the queue', () => {
  it('brings a request to a worker, once for each id', async () => {
    const producer = await startProducer();
    await producer.enqueue('C1-1790000000.000100', { verb: 'peak' });
    await producer.enqueue('C1-1790000000.000100', { verb: 'peak' });
    await producer.enqueue('C1-1790000000.000200', { verb: 'heap' });
    const seen: JobDelivery[] = [];
    await startConsumer(async (delivery) => {
      seen.push(delivery);
      return {};
    });
    await eventually(() => expect(seen).toHaveLength(2));
    expect(seen[0]).toEqual({
      id: 'C1-1790000000.000100',
      data: { verb: 'peak' },
      attempt: 1,
      isLastAttempt: false,
      interruptions: 0,
      dueAtMicros: expect.any(Number),
    });
  });

  it('says at once that it is away, and works again when it is back', async () => {
    const producer = await startProducer();
    await redis.crash();
    await expect(producer.enqueue('C1-1', {})).rejects.toMatchObject({
      kind: 'queue-unavailable',
      what: 'The queue (Redis) cannot be reached, so no worker can take this up',
    });
    await redis.restart();
    await eventually(() => producer.enqueue('C1-2', {}));
  });

  it('brings a job back after a failure that may pass, and not after one that will not', async () => {
    const producer = await startProducer();
    const attempts: string[] = [];
    await startConsumer(async ({ id, attempt }) => {
      attempts.push(`${id} ${attempt}`);
      if (id === 'hopeless') throw new Failure('slack-refused', { what: 'No' });
      if (attempt < 2) throw new Failure('slack-unavailable', { what: 'Later' });
      return {};
    });
    await producer.enqueue('hopeless', {});
    await producer.enqueue('patient', {});
    await eventually(() => expect(attempts).toContain('patient 2'));
    expect(attempts.filter((line) => line.startsWith('hopeless'))).toEqual(['hopeless 1']);
  });

  it('takes back a job that waits, and not one that runs', async () => {
    const producer = await startProducer();
    await producer.enqueue('waits', {});
    expect(await producer.withdraw('waits')).toBe(true);
    expect(await producer.withdraw('waits')).toBe(false);
    let finish = () => {};
    let isRunning = false;
    await startConsumer(() => {
      isRunning = true;
      return new Promise((resolve) => {
        finish = () => resolve({});
      });
    });
    await producer.enqueue('runs', {});
    await eventually(() => expect(isRunning).toBe(true));
    expect(await producer.withdraw('runs')).toBe(false);
    finish();
  });

  it('stops a job in whichever worker runs it', async () => {
    const producer = await startProducer();
    const stopped: unknown[] = [];
    const process: ProcessJob = ({ id }, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          stopped.push(`${id} ${signal.reason}`);
          resolve({});
        });
      });
    const consumers = [await startConsumer(process), await startConsumer(process)];
    await producer.enqueue('one', {});
    await producer.enqueue('two', {});
    await eventually(() => expect(consumers.every((consumer) => consumer.isRunning())).toBe(true));
    await eventually(async () => {
      await producer.interrupt('two');
      expect(stopped).toEqual(['two cancelled']);
    });
    await producer.interrupt('one');
    await eventually(() => expect(stopped).toEqual(['two cancelled', 'one cancelled']));
  });

  it('tells a worker that lost its job to stop, and another has it', async () => {
    const producer = await startProducer();
    const deliveries: JobDelivery[] = [];
    const reasons: unknown[] = [];
    const process: ProcessJob = (delivery, signal) => {
      deliveries.push(delivery);
      if (delivery.interruptions > 0) return Promise.resolve({});
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason);
          reject(new Failure('interrupted', { what: 'Lost' }));
        });
      });
    };
    await startConsumer(process);
    await producer.enqueue('lost', {});
    await eventually(() => expect(deliveries).toHaveLength(1));
    await redis.client.del(`${prefix}:jobs:lost:lock`);
    await eventually(() => expect(reasons).toEqual(['lost-lock']));
    await eventually(() => expect(deliveries.at(-1)?.interruptions).toBe(1));
  });

  it('lets running jobs finish when it closes', async () => {
    const producer = await startProducer();
    let isDone = false;
    let isRunning = false;
    const consumer = await startConsumer(async () => {
      isRunning = true;
      await pause(300);
      isDone = true;
      return {};
    });
    await producer.enqueue('slow', {});
    await eventually(() => expect(isRunning).toBe(true));
    await consumer.close(5000);
    expect(isDone).toBe(true);
  });

  it('stops jobs that outlast the deadline of the close, for another worker to take over', async () => {
    const producer = await startProducer();
    const process: ProcessJob = (_delivery, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () =>
          reject(new Failure('interrupted', { what: String(signal.reason) })),
        );
      });
    let isRunning = false;
    const first = await startConsumer((delivery, signal) => {
      isRunning = true;
      return process(delivery, signal);
    });
    await producer.enqueue('long', {});
    await eventually(() => expect(isRunning).toBe(true));
    await first.close(50);
    let attempt = 0;
    await startConsumer(async (delivery) => {
      attempt = delivery.attempt;
      return {};
    });
    await eventually(() => expect(attempt).toBe(2));
  });

  it('keeps its connections while Redis restarts, and goes on', async () => {
    const producer = await startProducer();
    const seen: string[] = [];
    await startConsumer(async ({ id }) => {
      seen.push(id);
      return {};
    });
    await redis.crash();
    await redis.restart();
    await eventually(() => producer.enqueue('after', {}));
    await eventually(() => expect(seen).toEqual(['after']));
  });

  it('gives the job of a killed worker to another', async () => {
    const producer = await startProducer();
    const child = spawnHangingWorker(redis.url, prefix);
    cleanups.push(() => void child.kill('SIGKILL'));
    await producer.enqueue('orphan', {});
    const [said] = (await once(child.stdout!, 'data')) as [Buffer];
    expect(said.toString()).toContain('orphan');
    child.kill('SIGKILL');
    const deliveries: JobDelivery[] = [];
    await startConsumer(async (delivery) => {
      deliveries.push(delivery);
      return {};
    });
    await eventually(() => expect(deliveries).toHaveLength(1));
    expect(deliveries[0]).toMatchObject({ id: 'orphan', attempt: 1, interruptions: 1 });
  });
});

/** A worker process that takes a job, says which, and never ends it. */
function spawnHangingWorker(url: string, queuePrefix: string): ChildProcess {
  const program = `
    import { connectPatient } from '#dist/src/queue/redis.js';
    import { createConsumer } from '#dist/src/queue/consumer.js';
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    createConsumer({
      redis: connectPatient(${JSON.stringify(url)}, log),
      prefix: ${JSON.stringify(queuePrefix)},
      concurrency: 1, stalledAfterMs: 1000, log,
      process: ({ id }) => { console.log(id); return new Promise(() => {}); },
    });`;
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

it('logs one line when Redis goes away and one when it is back', async () => {
  const lines: string[] = [];
  const log = {
    ...silentLog,
    warn: (_: object, message: string) => lines.push(message),
    info: (_: object, message: string) => lines.push(message),
  };
  const connection: Redis = connectPatient(redis.url, log);
  cleanups.push(() => connection.disconnect());
  await waitUntilReady(connection, 5000);
  await redis.crash();
  await eventually(() => expect(lines).toEqual(['redis is away']));
  await pause(300);
  await redis.restart();
  await eventually(() => expect(lines).toEqual(['redis is away', 'redis is back']));
});
