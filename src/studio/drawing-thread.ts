/** Runs in a drawing thread: one order in, one picture out. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { pictureSvg } from '../../templates/svg/picture.ts';
import { toFailure } from '../failure.ts';
import { svgToPng } from '../png.ts';
import { svgFile } from '../svg-file.ts';
import type { DrawingAnswer, DrawingOrder } from './messages.ts';

const collectGarbage = exposedCollector();

parentPort?.on('message', (order: DrawingOrder) => {
  const answer = answerTo(order);
  const owned = answer.kind === 'picture' ? [answer.picture.png.buffer as ArrayBuffer] : [];
  parentPort?.postMessage(answer, owned);
  // Pixels lie outside of the heap, so that the collector does not see how much a dead picture holds. Later: while
  // this function runs, its order and its answer are not garbage.
  setImmediate(() => collectGarbage({ type: 'minor' }));
});

function answerTo(order: DrawingOrder): DrawingAnswer {
  try {
    if (order.kind === 'file') return { kind: 'file', svg: svgFile(order.request) };
    const svg = pictureSvg(order.request);
    return { kind: 'picture', picture: { svg, ...svgToPng(svg) } };
  } catch (thrown) {
    const { kind, what, why, fix, paste, cause } = toFailure(thrown);
    const failure = {
      kind,
      what,
      ...(why === undefined ? {} : { why }),
      ...(fix === undefined ? {} : { fix }),
      ...(paste === undefined ? {} : { paste }),
    };
    return {
      kind: 'failed',
      failure,
      stack: cause instanceof Error ? cause.stack : undefined,
    };
  }
}

/** The collector of this thread; a thread cannot be started with flags of V8 of its own. */
function exposedCollector(): NonNullable<typeof globalThis.gc> {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
}
