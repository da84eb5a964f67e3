import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apportion } from '../../src/allocator/apportion.ts';

const weights = fc.array(
  fc.oneof(
    fc.constant(0),
    fc.double({ min: 1e-9, max: 1e12, noNaN: true }),
    fc.integer({ min: 1, max: 100 }),
  ),
  { minLength: 1, maxLength: 60 },
);
const total = fc.oneof(fc.maxSafeNat(), fc.integer({ min: 0, max: 1000 }));

describe('apportion', () => {
  it('gives the unit that is left to the largest remainder', () => {
    expect(apportion(100, [1, 1, 1])).toEqual([34, 33, 33]);
    expect(apportion(10, [55, 33, 12])).toEqual([6, 3, 1]);
  });

  it('gives nothing to a weight of nothing', () => {
    expect(apportion(7, [0, 3, 0])).toEqual([0, 7, 0]);
    expect(apportion(7, [0, 0])).toEqual([0, 0]);
    expect(apportion(7, [])).toEqual([]);
  });

  it('adds up to the whole, whatever the weights', () => {
    fc.assert(
      fc.property(total, weights, (whole, parts) => {
        fc.pre(parts.some((weight) => weight > 0));
        const sum = apportion(whole, parts).reduce((all, part) => all + BigInt(part), 0n);
        expect(sum).toBe(BigInt(whole));
      }),
    );
  });

  it('stays within one unit of the exact share, for sizes that memory has', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 42 }), weights, (whole, parts) => {
        const weightSum = parts.reduce((sum, weight) => sum + weight, 0);
        fc.pre(weightSum > 0);
        for (const [index, part] of apportion(whole, parts).entries()) {
          const exact = whole * ((parts[index] as number) / weightSum);
          expect(Math.abs(part - exact)).toBeLessThan(1.01);
          expect(part).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
