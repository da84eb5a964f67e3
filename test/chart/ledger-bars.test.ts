import { describe, expect, it } from 'vitest';
import { ledgerOf } from '../../src/allocator/ledger.ts';
import { layoutLedgerBars } from '../../src/chart/ledger-bars.ts';
import { holder, memoryFacts } from '../support/memory-facts.ts';

const layout = (...facts: Parameters<typeof memoryFacts>) =>
  layoutLedgerBars(ledgerOf(memoryFacts(...facts)).levels);

describe('layoutLedgerBars', () => {
  it('draws all levels to one scale, each filled from the left without gaps', () => {
    const bars = layout({ rss: 1000, resident: 800, active: 500, dirty: 200 });
    expect(bars.map(({ level, length }) => [level.name, length])).toEqual([
      ['RSS', 1],
      ['resident', 0.8],
      ['active', 0.5],
    ]);
    expect(bars[1]?.segments.map(({ name, start, length }) => [name, start, length])).toEqual([
      ['active', 0, 0.5],
      ['dirty pages', 0.5, 0.2],
      ['other pages', 0.7, 0.1],
    ]);
  });

  it('sums up small parts instead of dropping them', () => {
    const holders = [10, 90, 20, 80, 30, 70, 40].map((bytes, index) =>
      holder('cache', bytes, { name: `cache ${index}` }),
    );
    const [bar] = layout({ allocated: 400 }, { holders });
    expect(bar?.segments.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['cache 1', 90],
      ['cache 3', 80],
      ['cache 5', 70],
      ['cache 6', 40],
      ['cache 4', 30],
      ['2 others', 30],
      ['unexplained', 60],
    ]);
  });

  it('lets parts run out of a bar that they exceed', () => {
    const [bar] = layout({ allocated: 100 }, { holders: [holder('query', 125)] });
    expect(bar).toMatchObject({ length: 0.8, excessBytes: 25 });
    expect(bar?.segments).toMatchObject([{ name: 'some query', length: 1 }]);
  });

  it('draws nothing of nothing', () => {
    expect(layoutLedgerBars([])).toEqual([]);
    expect(layout({ rss: 0 })).toMatchObject([{ length: 0, segments: [] }]);
  });
});
