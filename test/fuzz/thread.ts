/** Runs the cases of a fuzz run, in a thread that can be ended when one of them hangs. */
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Random } from '../support/random.ts';
import { mutate } from './mutate.ts';
import { type FuzzNews, type FuzzOrder, READ_AT, REFUSED_AT } from './order.ts';
import { checkInput } from './properties.ts';
import { fuzzSeeds } from './seeds.ts';

/** What zlib holds is let go of only between two turns of the event loop, and cases take none. */
const CASES_IN_A_TURN = 200;

const { seed, firstCase, cases, current, answers } = workerData as FuzzOrder;
const underWay = new Int32Array(current);
const seeds = fuzzSeeds();
const counts = new Int32Array(answers);

for (let number = firstCase; number < firstCase + cases; number += 1) {
  Atomics.store(underWay, 0, number);
  if (number % CASES_IN_A_TURN === 0) await setImmediate();
  // Each case has numbers of its own, so that it can be run alone.
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca77));
  const input = mutate(random.pick(seeds), random, random.pick(seeds));
  try {
    Atomics.add(counts, checkInput(input, random) === 'read' ? READ_AT : REFUSED_AT, 1);
  } catch (thrown) {
    const why = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    post({ kind: 'failed', case: number, why });
  }
}
post({ kind: 'done' });

function post(news: FuzzNews): void {
  parentPort?.postMessage(news);
}
