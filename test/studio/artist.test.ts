import { describe, expect, it } from 'vitest';
import { Artist } from '../../src/studio/artist.ts';

const request = {
  kind: 'curve' as const,
  curve: { points: [], peaks: [], startAtMicros: 0, endAtMicros: 1 },
  estimateBytes: 0,
  text: { title: '', subtitle: '', footer: [] },
};
const order = { kind: 'picture' as const, request };
const never = new AbortController().signal;
const program = (text: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import {parentPort} from 'node:worker_threads';
    parentPort.on('message', () => { ${text} });`)}`,
  );

describe('Artist', () => {
  it.each([
    ['ends', 'process.exit(3)', 'was ended'],
    ['throws', 'throw new RangeError("too much")', 'too much'],
  ])('makes a failure of a thread that %s, each time anew', async (_, text, why) => {
    const artist = new Artist(program(text));
    const died = expect.objectContaining({ name: 'Failure', kind: 'interrupted' });
    await expect(artist.draw(order, never)).rejects.toEqual(died);
    await expect(artist.draw(order, never)).rejects.toThrow(why);
    await artist.stop();
  });

  it('survives a thread that dies when nobody waits for it', async () => {
    const artist = new Artist(
      program(
        'parentPort.postMessage({ kind: "file", svg: "<svg/>" }); setTimeout(() => { throw 1; })',
      ),
    );
    await expect(artist.draw(order, never)).resolves.toEqual({ kind: 'file', svg: '<svg/>' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await expect(artist.draw(order, never)).resolves.toEqual({ kind: 'file', svg: '<svg/>' });
    await artist.stop();
  });

  it('does not wait for a thread that was told to stop', async () => {
    const artist = new Artist(program('for (;;);'));
    await expect(artist.draw(order, AbortSignal.timeout(50))).rejects.toMatchObject({
      kind: 'cancelled',
    });
  });
});
