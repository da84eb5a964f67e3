import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Failure } from '../failure.ts';
import type { DrawingAnswer, DrawingOrder } from './messages.ts';
import { ownCopy } from './own-copy.ts';
import { stopped } from './stopped.ts';

const THREAD = new URL(import.meta.resolve('#dist/src/studio/drawing-thread.js'));

/** What was ordered. */
type Drawn = Exclude<DrawingAnswer, { kind: 'failed' }>;

/**
 * A drawing thread and its successors: it is started when there is something to draw, and again after it died or was
 * stopped. It holds the process only while it draws.
 */
export class Artist {
  readonly #program: URL;
  #thread: Worker | undefined;

  /** The program of the thread is another one only in tests. */
  constructor(program: URL = THREAD) {
    this.#program = program;
  }

  /** One drawing at a time: the caller waits for the one before. Rejects with a `Failure`. */
  async draw(order: DrawingOrder, signal: AbortSignal): Promise<Drawn> {
    if (signal.aborted) throw stopped(signal);
    const thread = this.#thread ?? this.#start();
    const { value, buffers } = ownCopy(order);
    thread.ref();
    thread.postMessage(value, buffers);
    try {
      return drawnOf(await answerFrom(thread, signal));
    } finally {
      thread.unref();
      // What it was drawing is of no use to anybody, and the next picture shall not wait for it.
      if (signal.aborted) await this.stop();
    }
  }

  /** Ends the thread; a drawing under way is rejected. */
  async stop(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(this.#program, { execArgv: ['--enable-source-maps'] });
    const forget = () => {
      if (this.#thread === thread) this.#thread = undefined;
    };
    // An error that nobody listens to would end the process; whoever waits for a picture hears of it as well.
    thread.on('error', forget);
    thread.on('exit', forget);
    thread.unref();
    this.#thread = thread;
    return thread;
  }
}

/** The next answer, or why there will be none. */
async function answerFrom(thread: Worker, signal: AbortSignal): Promise<DrawingAnswer> {
  const answered = new AbortController();
  const listening = { signal: AbortSignal.any([signal, answered.signal]) };
  try {
    const [answer] = await Promise.race([
      // Rejects with the error of a thread that dies of one.
      once(thread, 'message', listening),
      once(thread, 'exit', listening).then(() => Promise.reject(threadDied())),
    ]);
    return answer as DrawingAnswer;
  } catch (thrown) {
    if (signal.aborted) throw stopped(signal);
    throw thrown instanceof Failure ? thrown : threadDied(thrown);
  } finally {
    answered.abort();
  }
}

function drawnOf(answer: DrawingAnswer): Drawn {
  if (answer.kind !== 'failed') return answer;
  const { kind, ...details } = answer.failure;
  throw new Failure(kind, { ...details, cause: answer.stack });
}

function threadDied(cause?: unknown): Failure {
  return new Failure('interrupted', {
    what: 'The picture could not be drawn',
    why: cause instanceof Error ? `its thread died: ${cause.message}` : 'its thread was ended',
    fix: 'Try once more; if it stays, look at how much memory the worker may use',
    cause,
  });
}
