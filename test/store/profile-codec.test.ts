import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameName } from '../../src/profile/frame-table.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { TreeBuilder } from '../../src/profile/tree-builder.ts';
import { decodeProfile, encodeProfile } from '../../src/store/profile-codec.ts';

function profileOf(
  stacks: Readonly<Record<string, number>>,
  changes: Partial<Profile> = {},
): Profile {
  const builder = new TreeBuilder();
  for (const [stack, bytes] of Object.entries(stacks)) {
    builder.add(stack.split(';'), { bytes, count: 1 });
  }
  return {
    kind: 'trace_log',
    tree: builder.build(),
    unit: 'bytes',
    totalBytes: Object.values(stacks).reduce((sum, bytes) => sum + bytes, 0),
    totalCount: Object.keys(stacks).length,
    stackCount: Object.keys(stacks).length,
    unsampled: true,
    skippedLines: 0,
    firstSkipped: [],
    notes: ['Sampled once per 512 KiB.'],
    ...changes,
  };
}

const folded = ({ tree }: Profile) =>
  Array.from({ length: tree.nodeCount }, (_, node) => {
    const names: string[] = [];
    for (let at = node; at > 0; at = tree.parent[at] as number) {
      names.unshift(frameName(tree.frames, tree.frame[at] as number));
    }
    return `${names.join(';')} ${tree.selfBytes[node]} ${tree.selfCount?.[node]}`;
  });

describe('encodeProfile', () => {
  it('is undone by decodeProfile', async () => {
    const profile = profileOf(
      { 'main;DB::Aggregator::execute()': 4096, 'main;operator new': 16.5, 'запрос;λ': 2 ** 53 },
      { sampleCount: 3, samplingIntervalBytes: 524_288, kind: 'heap_v2' },
    );
    const decoded = await decodeProfile(await encodeProfile(profile));
    expect(folded(decoded)).toEqual(folded(profile));
    expect({ ...decoded, tree: undefined }).toEqual({ ...profile, tree: undefined });
    expect(decoded.tree.selfSamples).toBeUndefined();
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
        const decoded = await decodeProfile(await encodeProfile(profile));
        expect(folded(decoded)).toEqual(folded(profile));
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
      'A kept profile cannot be read. it does not begin as one. Run the investigation again.',
    );
  });

  it('refuses a profile of a later version and says so', async () => {
    const bytes = await encodeProfile(profileOf({ main: 1 }));
    bytes[4] = 2;
    await expect(decodeProfile(bytes)).rejects.toThrow(
      /it is of version 2, and this memprof reads version 1/,
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
