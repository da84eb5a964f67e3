import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export interface PipelineRun {
  readonly wallMs: number;
  /** Of the largest single process. */
  readonly peakMiB: number;
}

const POLL_MS = 10;

/** Runs programs one after the other, the output of each into the next, and tells how long and how large they were. */
export async function runPipeline(
  commands: readonly (readonly [string, ...string[]])[],
): Promise<PipelineRun> {
  const startedAt = performance.now();
  const children = commands.map(([program, ...words]) =>
    spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'] }),
  );
  for (const [index, child] of children.entries()) {
    const next = children[index + 1];
    if (next === undefined) child.stdout.resume();
    else child.stdout.pipe(next.stdin);
  }
  children[0]?.stdin.end();
  let peakMiB = 0;
  const poll = setInterval(() => {
    for (const { pid } of children) peakMiB = Math.max(peakMiB, highWaterMiB(pid));
  }, POLL_MS);
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
  clearInterval(poll);
  if (codes.some((code) => code !== 0)) throw new Error(`exit codes ${codes.join(', ')}`);
  return { wallMs: performance.now() - startedAt, peakMiB };
}

/** The most memory that a process ever had; 0 when it has ended. */
function highWaterMiB(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
