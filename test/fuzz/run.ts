/**
 * `npm run fuzz -- --cases N [--seed S] [--case C]`: changes profiles at random and reads them. A reader must give a
 * profile or a refusal in a sentence: it never throws anything else, never hangs, never loses bytes without a word.
 * Prints its seed; a case that failed can be run alone. Closes with "N passed, N failed".
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { ANSWERS_BYTES, type FuzzNews, type FuzzOrder, READ_AT, REFUSED_AT } from './order.ts';

const THREAD = new URL(import.meta.resolve('#dist/test/fuzz/thread.js'));
const USUAL_CASES = 20_000;
/** Inputs are small; on a busy machine a whole one takes some hundred milliseconds. */
const HANGS_AFTER_MS = 10_000;
const LOOKED_AT_EVERY_MS = 500;
const MEMORY_LIMIT_MIB = 512;
/** The thread has not begun its first case. */
const NOTHING_YET = -1;

const { values } = parseArgs({
  options: { cases: { type: 'string' }, seed: { type: 'string' }, case: { type: 'string' } },
});
const seed = numberOf(values.seed) ?? randomInt(2 ** 31);
const only = numberOf(values.case);
const firstCase = only ?? 0;
const cases = only === undefined ? (numberOf(values.cases) ?? USUAL_CASES) : 1;

console.log(`seed ${seed}, ${cases} cases`);
const startedAt = performance.now();
const answers = new Int32Array(new SharedArrayBuffer(ANSWERS_BYTES));
const failures = await fuzz({ seed, firstCase, cases, answers: answers.buffer });
console.log(`${answers[READ_AT]} read, ${answers[REFUSED_AT]} refused`);
console.log(`${Math.round((performance.now() - startedAt) / 1000)} s`);
console.log(`${cases - failures} passed, ${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;

/** How many cases failed. A case that hangs or takes all memory ends its thread; the next one goes on behind it. */
async function fuzz(order: Omit<FuzzOrder, 'current'>): Promise<number> {
  const end = order.firstCase + order.cases;
  let failed = 0;
  for (let from = order.firstCase; from < end; ) {
    const { failures, reached } = await runThread({ ...order, firstCase: from, cases: end - from });
    failed += failures;
    from = reached;
  }
  return failed;
}

function runThread(
  order: Omit<FuzzOrder, 'current'>,
): Promise<{ readonly failures: number; readonly reached: number }> {
  const current = new SharedArrayBuffer(4);
  const underWay = new Int32Array(current).fill(NOTHING_YET);
  const thread = new Worker(THREAD, {
    workerData: { ...order, current } satisfies FuzzOrder,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MIB },
    execArgv: ['--enable-source-maps'],
  });
  let failures = 0;
  const report = (number: number, why: string) => {
    failures += 1;
    console.log(`FAIL case ${number}: ${why}\n  npm run fuzz -- --seed ${seed} --case ${number}`);
  };
  return new Promise((resolve) => {
    let isOver = false;
    const finish = (reached: number) => {
      isOver = true;
      clearInterval(watch);
      void thread.terminate();
      resolve({ failures, reached });
    };
    const giveUp = (why: string) => {
      if (isOver) return;
      if (Atomics.load(underWay, 0) === NOTHING_YET) throw new Error(why);
      report(Atomics.load(underWay, 0), why);
      finish(Atomics.load(underWay, 0) + 1);
    };
    let last = { number: -1, since: performance.now() };
    const watch = setInterval(() => {
      const number = Atomics.load(underWay, 0);
      if (number !== last.number) last = { number, since: performance.now() };
      else if (performance.now() - last.since > HANGS_AFTER_MS) giveUp('it hangs');
    }, LOOKED_AT_EVERY_MS);
    thread.on('error', (error) => giveUp(`its thread died: ${error.message}`));
    thread.on('message', (news: FuzzNews) => {
      if (news.kind === 'failed') report(news.case, news.why);
      else {
        finish(order.firstCase + order.cases);
      }
    });
  });
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  console.error('Usage: npm run fuzz -- [--cases N] [--seed S] [--case C]');
  process.exit(2);
}
