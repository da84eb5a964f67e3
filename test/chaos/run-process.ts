import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface ChaosProcess {
  readonly child: ChildProcess;
  /** Lines it has printed. */
  readonly lines: readonly string[];
  /** The signal that ended it, or its exit code. */
  readonly ended: Promise<string | number>;
}

/** Runs a compiled process of this folder with its settings as the only argument. */
export function runProcess(name: string, settings: object): ChaosProcess {
  const entry = fileURLToPath(import.meta.resolve(`#dist/test/chaos/${name}.js`));
  const child = spawn(process.execPath, [entry, JSON.stringify(settings)], {
    // A pipe that ends with this process, whatever ends it.
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  let rest = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const parts = `${rest}${chunk}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  const ended = once(child, 'close').then(([code, signal]) => (signal ?? code) as string | number);
  return { child, lines, ended };
}

/** Ends a process by its id, whatever it is at. */
export async function endProcess({ child, ended }: ChaosProcess): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}
