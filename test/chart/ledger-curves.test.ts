import { describe, expect, it } from 'vitest';
import { byteTicks } from '../../src/chart/byte-ticks.ts';
import { layoutLedgerCurves } from '../../src/chart/ledger-curves.ts';
import { toLedgerHistory } from '../../src/chart/ledger-history.ts';
import { GiB, MiB } from '../support/memory-facts.ts';

const hour = 3600e6;
const start = 1_790_000_000e6;
const rows = [0, 1, 2, 3].flatMap((n) => [
  { atMicros: start + n * hour, metric: 'jemalloc.allocated', bytes: n * GiB },
  { atMicros: start + n * hour, metric: 'MemoryTracking', bytes: 4 * GiB },
  { atMicros: start + n * hour, metric: 'something.else', bytes: 99 * GiB },
]);

describe('toLedgerHistory', () => {
  it('puts metrics under their levels, in the order of the ledger', () => {
    const history = toLedgerHistory(rows.toReversed());
    expect(history?.series.map(({ level }) => level)).toEqual(['allocated', 'tracked']);
    expect(history?.series[0]?.points.map(({ bytes }) => bytes / GiB)).toEqual([0, 1, 2, 3]);
    expect(history).toMatchObject({ startAtMicros: start, endAtMicros: start + 3 * hour });
  });

  it('is none without two moments, and leaves out what is no number', () => {
    expect(toLedgerHistory([])).toBeUndefined();
    expect(toLedgerHistory(rows.slice(0, 3))).toBeUndefined();
    const nan = rows.map((row) => ({ ...row, bytes: Number.NaN }));
    expect(toLedgerHistory(nan)).toBeUndefined();
  });
});

describe('layoutLedgerCurves', () => {
  const curves = layoutLedgerCurves(toLedgerHistory(rows)!);

  it('fits the curves into the unit square', () => {
    expect(curves.curves[0]?.points[0]).toEqual({ x: 0, y: 0 });
    expect(curves.curves[0]?.points[3]).toEqual({ x: 1, y: 0.75 });
    expect(curves.curves[1]?.points[0]).toEqual({ x: 0, y: 1 });
    expect(curves.curves[1]?.lastBytes).toBe(4 * GiB);
  });

  it('marks round amounts and round times of the day', () => {
    expect(curves.byteTicks.map(({ bytes }) => bytes / GiB)).toEqual([0, 1, 2, 3, 4]);
    expect(curves.timeTicks.length).toBeGreaterThan(3);
    for (const { atMicros } of curves.timeTicks) expect(atMicros % (30 * 60e6)).toBe(0);
  });
});

describe('byteTicks', () => {
  it.each([
    [4 * GiB, [0, GiB, 2 * GiB, 3 * GiB, 4 * GiB]],
    [610 * MiB, [0, 200 * MiB, 400 * MiB, 600 * MiB]],
    [GiB, [0, GiB / 4, GiB / 2, (3 * GiB) / 4, GiB]],
    [1.9 * GiB, [0, GiB / 2, GiB, 1.5 * GiB]],
    [3, [0, 1, 2, 3]],
    [0, [0]],
  ])('of %i', (maxBytes, ticks) => {
    expect(byteTicks(maxBytes, 4)).toEqual(ticks);
  });
});
