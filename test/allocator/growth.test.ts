import { describe, expect, it } from 'vitest';
import { growthOf } from '../../src/allocator/growth.ts';

const hourly = (bytesAt: (hour: number) => number) =>
  Array.from({ length: 25 }, (_, hour) => ({ atMicros: hour * 3.6e9, bytes: bytesAt(hour) }));

describe('growthOf', () => {
  it('finds a straight line', () => {
    expect(growthOf(hourly((hour) => 1000 + 40 * hour))).toEqual({
      bytesPerHour: 40,
      fit: 1,
      spanMs: 24 * 3.6e6,
      fromBytes: 1000,
      toBytes: 1960,
    });
  });

  it('calls a level curve no trend', () => {
    expect(growthOf(hourly(() => 1000))).toMatchObject({ bytesPerHour: 0, fit: 0 });
  });

  it('fits badly what goes up and down', () => {
    expect(growthOf(hourly((hour) => (hour % 2) * 1000))?.fit).toBeLessThan(0.01);
  });

  it('says nothing of a handful of points or of one moment', () => {
    expect(growthOf(hourly(() => 1).slice(0, 9))).toBeUndefined();
    expect(growthOf(Array.from({ length: 20 }, () => ({ atMicros: 5, bytes: 1 })))).toBeUndefined();
  });
});
