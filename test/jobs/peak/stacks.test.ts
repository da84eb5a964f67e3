import { expect, test } from 'vitest';
import type { Ask } from '../../../jobs/ask.ts';
import type { Measured } from '../../../jobs/peak/measure.ts';
import { nameStacks } from '../../../jobs/peak/stacks.ts';
import { foldedOf } from '../../support/profile-of.ts';

const END = 1_789_000_000_000_000;
const MINUTE = 60_000_000;

/** A server that names each address, and tells when it started. */
function serverSince(startedAtMicros: number): Ask {
  const answers: Readonly<Record<string, readonly unknown[]>> = {
    symbols: [{ address: '4096', name: 'DB::f()' }],
    'frag-server-start': [{ startedAtMicros }],
  };
  return (async (_what: string, { name }: { readonly name: string }) => answers[name]) as Ask;
}

/** One stack of one frame, recorded at most at END; the log may have its name. */
function measured(symbols: readonly string[] = []): Measured {
  const stack = { addresses: ['4096'], symbols, liveBytes: 64, objectCount: 1, sampleCount: 1 };
  return {
    stacks: [stack],
    source: { intervalBytes: 0 },
    curve: { endAtMicros: END },
  } as unknown as Measured;
}

test('names that a server gives of what it ran itself are not doubted', async () => {
  const { symbolSource, profile } = await nameStacks(measured(), serverSince(END - MINUTE));
  expect(symbolSource).toBe('addressToSymbol');
  expect(foldedOf(profile)).toEqual(['DB::f() 64']);
});

test('names from a server that was started since are doubted: addresses are those of another run', async () => {
  const { symbolSource } = await nameStacks(measured(), serverSince(END + MINUTE));
  expect(symbolSource).toMatch(/^addressToSymbol \(doubtful: the server was started since/);
});

test('names that stand in the log are those of its time', async () => {
  const { symbolSource } = await nameStacks(measured(['DB::g()']), serverSince(END + MINUTE));
  expect(symbolSource).toBe('trace_log.symbols');
});
