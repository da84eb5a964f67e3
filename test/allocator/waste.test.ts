import { describe, expect, it } from 'vitest';
import { type SlabBin, wasteOf } from '../../src/allocator/waste.ts';

const bin = (changes: Partial<SlabBin> = {}): SlabBin => ({
  arena: 0,
  purpose: '',
  classIndex: 12,
  sizeBytes: 256,
  regionsPerSlab: 16,
  slabCount: 100,
  liveRegions: 200,
  ...changes,
});

describe('wasteOf', () => {
  it('counts what lies in slabs and is not live', () => {
    const { classes, totalWasteBytes } = wasteOf([bin()]);
    expect(classes).toMatchObject([
      { wasteBytes: 1400 * 256, liveBytes: 200 * 256, utilisation: 0.125 },
    ]);
    expect(totalWasteBytes).toBe(1400 * 256);
  });

  it('takes racing counters as no waste and counts them', () => {
    const waste = wasteOf([bin({ liveRegions: 1601 }), bin({ classIndex: 9, sizeBytes: 160 })]);
    expect(waste.racedBins).toBe(1);
    expect(waste.classes.map(({ wasteBytes }) => wasteBytes)).toEqual([1400 * 160, 0]);
    expect(waste.classes[1]?.utilisation).toBe(1);
  });

  it('keeps dedicated arenas apart unless they are asked for', () => {
    const bins = [bin(), bin({ arena: 3, purpose: 'mergetree' })];
    const apart = wasteOf(bins);
    expect(apart.classes.map(({ arena }) => arena)).toEqual([0]);
    expect(apart.dedicated.map(({ purpose }) => purpose)).toEqual(['mergetree']);
    expect(apart.dedicatedWasteBytes).toBe(apart.totalWasteBytes);
    const together = wasteOf(bins, { includeDedicated: true });
    expect(together.classes).toHaveLength(2);
    expect(together.totalWasteBytes).toBe(2 * apart.totalWasteBytes);
    expect(together.dedicated).toEqual([]);
  });

  it('looks at one arena alone when it is asked to', () => {
    const bins = [bin(), bin({ arena: 1 }), bin({ arena: 3, purpose: 'cache' })];
    expect(wasteOf(bins, { arena: 1 }).classes.map(({ arena }) => arena)).toEqual([1]);
    expect(wasteOf(bins, { arena: 3 }).dedicated.map(({ arena }) => arena)).toEqual([3]);
    expect(wasteOf(bins, { arena: 9 }).classes).toEqual([]);
  });

  it('leaves out classes without a slab and puts most waste first', () => {
    const bins = [
      bin({ classIndex: 1, sizeBytes: 16, slabCount: 0, liveRegions: 0 }),
      bin({ classIndex: 9, sizeBytes: 160 }),
      bin(),
      bin({ arena: 1 }),
    ];
    expect(wasteOf(bins).classes.map(({ arena, classIndex }) => [arena, classIndex])).toEqual([
      [0, 12],
      [1, 12],
      [0, 9],
    ]);
  });
});
