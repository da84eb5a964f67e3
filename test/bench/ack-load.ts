/** A thread that sends signed slash commands at an even pace, as Slack would, and measures how long each answer takes. */
import { parentPort, workerData } from 'node:worker_threads';
import { signatureHeaders } from '../../src/local/slack/delivery/signature.ts';

export interface Load {
  readonly url: string;
  readonly signingSecret: string;
  readonly perSecond: number;
  readonly seconds: number;
  /** Fields of the form that Slack posts, beside `trigger_id`. */
  readonly form: Readonly<Record<string, string>>;
}

export interface Measured {
  /** Milliseconds from sending to the end of the answer, in the order of sending. */
  readonly latenciesMs: readonly number[];
  readonly failures: number;
}

const load = workerData as Load;
const total = load.perSecond * load.seconds;
const latenciesMs: number[] = [];
let failures = 0;
const pending: Promise<void>[] = [];
const startedAt = performance.now();
for (let n = 0; n < total; n += 1) {
  const dueAt = startedAt + (n * 1000) / load.perSecond;
  const waitMs = dueAt - performance.now();
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  // Counted from when it was due: a late start is part of what somebody would wait.
  pending.push(send(n, Math.min(dueAt, performance.now())));
}
await Promise.all(pending);
const measured: Measured = { latenciesMs, failures };
parentPort?.postMessage(measured);

async function send(n: number, sentAt: number): Promise<void> {
  const body = new URLSearchParams({ ...load.form, trigger_id: `bench.${n}` }).toString();
  try {
    const answer = await fetch(load.url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...signatureHeaders(load.signingSecret, body),
      },
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) failures += 1;
  } catch {
    failures += 1;
  }
  latenciesMs.push(performance.now() - sentAt);
}
