import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noAges } from '../../src/allocator/object-age.ts';
import { type SlabBin, wasteOf } from '../../src/allocator/waste.ts';
import {
  agesOf,
  type OldObjects,
  objectsWithoutBin,
  shareWaste,
  wasteStacks,
} from '../../src/allocator/waste-shares.ts';

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

const old = (
  stack: string,
  objectCount: number,
  changes: Partial<OldObjects> = {},
): OldObjects => ({
  arena: 0,
  classIndex: 12,
  stack: stack === '' ? [] : stack.split(';'),
  objectCount,
  sampleCount: 20,
  ages: { ...noAges, hours: objectCount },
  ...changes,
});

const folded = (bins: readonly SlabBin[], objects: readonly OldObjects[]) =>
  wasteStacks(shareWaste(wasteOf(bins).classes, objects)).map(
    ({ stack, wasteBytes }) => `${stack.join(';')} ${wasteBytes}`,
  );

describe('shareWaste', () => {
  it('splits the waste of a class in proportion to its old objects', () => {
    expect(folded([bin()], [old('main;insert', 3), old('main;merge', 1)])).toEqual([
      `main;insert ${(1400 * 256 * 3) / 4}`,
      `main;merge ${(1400 * 256) / 4}`,
    ]);
  });

  it('names the class whose holders were not sampled', () => {
    expect(folded([bin(), bin({ arena: 1 })], [old('main', 2)])).toEqual([
      'main 358400',
      '[unattributed];arena_1_class_256 358400',
    ]);
    expect(folded([{ ...bin(), arena: undefined } as unknown as SlabBin], [])).toEqual([
      '[unattributed];class_256 358400',
    ]);
  });

  it('adds up stacks that have the same names', () => {
    const shares = shareWaste(wasteOf([bin()]).classes, [old('main', 3), old('main', 4)]);
    expect(shares.classes[0]?.holders).toMatchObject([
      { objectCount: 7, sampleCount: 40, ages: { hours: 7 }, wasteBytes: 358_400 },
    ]);
  });

  it('lets objects without an arena speak for their class everywhere', () => {
    const anywhere = { ...old('main', 2), arena: undefined } as unknown as OldObjects;
    expect(folded([bin(), bin({ arena: 1 })], [anywhere])).toEqual(['main 358400', 'main 358400']);
  });

  it('lets objects of all arenas speak for bins that are added up', () => {
    const bins = [{ ...bin(), arena: undefined } as unknown as SlabBin];
    expect(folded(bins, [old('a', 1), old('b', 1, { arena: 1 })])).toEqual([
      'a 179200',
      'b 179200',
    ]);
  });

  it('shows what was not listed stack by stack as other holders, last', () => {
    expect(folded([bin()], [old('', 3), old('main', 1)])).toEqual([
      'main 89600',
      '[other holders] 268800',
    ]);
  });

  it('tells weak evidence from sound and from none', () => {
    const classes = wasteOf([bin(), bin({ arena: 1 }), bin({ arena: 2 })]).classes;
    const shares = shareWaste(classes, [
      old('a', 1, { sampleCount: 9 }),
      old('a', 1, { sampleCount: 10, arena: 1 }),
    ]);
    expect(shares.classes.map(({ evidence }) => evidence)).toEqual(['weak', 'sound', 'none']);
    expect(shares.attributedBytes).toBe(2 * 358_400);
  });

  it('adds up to the total waste to the byte, whatever was sampled', () => {
    const bins = fc.array(
      fc.record({
        arena: fc.nat(3),
        purpose: fc.constant(''),
        classIndex: fc.nat(35),
        sizeBytes: fc.constantFrom(8, 16, 48, 160, 256, 3584, 14_336),
        regionsPerSlab: fc.constantFrom(1, 2, 16, 256, 512),
        slabCount: fc.nat(100_000),
        liveRegions: fc.nat(50_000_000),
      }),
      { maxLength: 40 },
    );
    const objects = fc.array(
      fc.record({
        arena: fc.nat(4),
        classIndex: fc.nat(36),
        stack: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
        objectCount: fc.double({ min: 0, max: 1e9, noNaN: true }),
        sampleCount: fc.nat(100),
        ages: fc.constant(noAges),
      }),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(bins, objects, (someBins, someObjects) => {
        const waste = wasteOf(someBins);
        const shares = shareWaste(waste.classes, someObjects);
        const total = wasteStacks(shares).reduce((sum, { wasteBytes }) => sum + wasteBytes, 0);
        expect(total).toBe(waste.totalWasteBytes);
        for (const held of shares.classes.filter(({ holders }) => holders.length > 0)) {
          const own = held.holders.reduce((sum, { wasteBytes }) => sum + wasteBytes, 0);
          expect(own).toBe(held.wasteBytes);
        }
      }),
    );
  });
});

describe('objectsWithoutBin', () => {
  it('counts samples of classes that no bin knows, and only those', () => {
    const bins = [bin(), bin({ classIndex: 3, slabCount: 0, liveRegions: 0 })];
    const objects = [
      old('a', 1),
      old('a', 2, { classIndex: 3 }),
      old('a', 4, { arena: 7 }),
      old('a', 8, { classIndex: 99 }),
    ];
    expect(objectsWithoutBin(bins, objects)).toBe(12);
  });
});

describe('agesOf', () => {
  it('adds the ages up', () => {
    expect(agesOf([old('a', 2), old('b', 3)])).toEqual({ ...noAges, hours: 5 });
  });
});
