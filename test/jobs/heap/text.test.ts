import { expect, it } from 'vitest';
import { collectText } from '../../../jobs/heap/text.ts';

const MIB = 2 ** 20;
const chunk = new Uint8Array(10 * MIB).fill('a'.charCodeAt(0));

async function* times(count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield chunk;
}

it('takes a heap profile of 300 MB whole', async () => {
  const text = await collectText('prod', times(30));
  expect(text).toHaveLength(300 * MIB);
  expect(text.at(-1)).toBe('a'.charCodeAt(0));
});

it('gives up on one that does not end, with a way to go on', async () => {
  await expect(collectText('prod', times(Number.POSITIVE_INFINITY))).rejects.toThrow(
    'The heap profile of prod does not end. More than 1024 MiB came. Ask for a dump on the server with flush',
  );
});

it('says why nothing at all came', async () => {
  await expect(collectText('prod', times(0))).rejects.toMatchObject({
    kind: 'no-samples',
    paste: '<jemalloc_enable_global_profiler>1</jemalloc_enable_global_profiler>',
  });
});
