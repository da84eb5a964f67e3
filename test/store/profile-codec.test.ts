import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeProfile, encodeProfile } from '../../src/store/profile-codec.ts';
import { profileOf } from '../support/profile-of.ts';

describe('encodeProfile', () => {
  it('is undone by decodeProfile', async () => {
    const profile = profileOf(
      { 'main;DB::Aggregator::execute()': 4096, 'main;operator new': 16.5, 'запрос;λ': 2 ** 53 },
      { sampleCount: 3, samplingIntervalBytes: 524_288, kind: 'heap_v2' },
    );
    expect(await decodeProfile(await encodeProfile(profile))).toEqual(profile);
  });

  it('keeps any tree', async () => {
    const stacks = fc.dictionary(
      fc
        .array(fc.string({ unit: 'grapheme', maxLength: 8 }), { maxLength: 6 })
        .map((names) => names.join(';')),
      fc.double({ min: -1e18, max: 1e18, noNaN: true }),
    );
    await fc.assert(
      fc.asyncProperty(stacks, async (some) => {
        const profile = profileOf(some);
        expect(await decodeProfile(await encodeProfile(profile))).toEqual(profile);
      }),
      { numRuns: 50 },
    );
  });

  it('makes the many equal names and small distances of a profile small', async () => {
    const stacks = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [
        `main;DB::PipelineExecutor::execute();DB::Step${index % 40}::work();leaf${index}`,
        index * 1000,
      ]),
    );
    expect((await encodeProfile(profileOf(stacks))).length).toBeLessThan(20_000);
  });
});

describe('decodeProfile', () => {
  it('refuses what is not a profile', async () => {
    await expect(decodeProfile(Buffer.from('heap_v2/524288'))).rejects.toThrow(
      'A kept profile cannot be read. It does not begin as one. Run the investigation again.',
    );
  });

  it('refuses a profile of a later version and says so', async () => {
    const bytes = await encodeProfile(profileOf({ main: 1 }));
    bytes[4] = 2;
    await expect(decodeProfile(bytes)).rejects.toThrow(
      /It is of version 2, and this memprof reads version 1/,
    );
  });

  it('refuses damaged bytes without a crash', async () => {
    const bytes = await encodeProfile(profileOf({ 'main;insert': 1, 'main;merge': 2 }));
    for (let length = 5; length < bytes.length; length += 7) {
      await expect(decodeProfile(bytes.subarray(0, length))).rejects.toMatchObject({
        kind: 'broken-profile',
      });
    }
  });
});
