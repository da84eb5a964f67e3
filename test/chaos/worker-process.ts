/**
 * A worker in a process of its own, which may be told to die after so many steps. It prints each step that took
 * effect.
 */
import { type ChaosWorkerSettings, startChaosWorker } from './chaos-worker.ts';

export interface WorkerSettings extends ChaosWorkerSettings {
  /** Dies right after this many steps took effect; absent: never. */
  readonly dieAfterSteps?: number;
}

const settings = JSON.parse(process.argv[2] ?? '') as WorkerSettings;

let steps = 0;
const consumer = await startChaosWorker(settings, (call) => {
  steps += 1;
  // Synchronous, so that the line is out before the process is gone.
  process.stdout.write(`${call}\n`);
  if (steps === settings.dieAfterSteps) process.kill(process.pid, 'SIGKILL');
});

// Nobody is left behind by a test that was ended from outside.
process.stdin.resume().once('end', () => process.exit());
process.once('SIGTERM', () => {
  void consumer.close(2000).then(() => process.exit());
});
process.stdout.write('ready\n');
