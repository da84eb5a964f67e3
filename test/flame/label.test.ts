import { describe, expect, it } from 'vitest';
import { boxLabel } from '../../src/flame/label.ts';
import { textWidth } from '../../src/text-width.ts';

const font = { sizePx: 24 };
const label = (frames: readonly string[], widthPx: number, amounts: readonly string[] = ['48%']) =>
  boxLabel(frames, amounts, { widthPx, font });

describe('boxLabel', () => {
  it('shortens names as data, then cuts them at the left', () => {
    const name = 'DB::Aggregator::executeOnBlock(DB::Block const&, std::vector<int>)';
    expect(label([name], 900)?.name).toBe('Aggregator::executeOnBlock');
    expect(label([name], 200)?.name).toMatch(/^….*OnBlock$/);
  });

  it('always keeps the amount, and has the amount alone where no name fits', () => {
    expect(label(['Aggregator::execute'], 60)).toEqual({ name: '', amount: '48%' });
    expect(label(['Aggregator::execute'], 20)).toBeUndefined();
  });

  it('writes the longest amount that leaves the name its room', () => {
    const amounts = ['+3.10 GiB (×2.4)', '+3.10 GiB', '×2.4'];
    expect(label(['Aggregator::execute'], 900, amounts)?.amount).toBe('+3.10 GiB (×2.4)');
    expect(label(['Aggregator::execute'], 230, amounts)?.amount).toBe('+3.10 GiB');
    expect(label(['Aggregator::execute'], 60, amounts)).toEqual({ name: '', amount: '×2.4' });
  });

  it('shows of a chain where it begins and ends, and its end when there is less room', () => {
    const chain = ['work', 'executeStep', 'executeTask', 'addMemoryChunk'];
    expect(label(chain, 900)?.name).toBe('work › executeStep › executeTask › addMemoryChunk');
    expect(label(chain, 460)?.name).toBe('work › … › executeTask › addMemoryChunk');
    expect(label(chain, 390)?.name).toBe('work › … › addMemoryChunk');
    expect(label(chain, 230)?.name).toBe('addMemoryChunk');
  });

  it('passes over nameless code where a chain has names, and says so where it has none', () => {
    expect(label(['0x7f00aa', 'DB::work()'], 500)?.name).toBe('work');
    expect(label([''], 500)?.name).toBe('(no name)');
  });

  it('is never wider than its room', () => {
    const names = ['x'.repeat(50_000), 'Ж'.repeat(300), '🔥'.repeat(300), 'a\u0000b'];
    for (const name of names) {
      for (const widthPx of [40, 77, 150, 333, 1200]) {
        const drawn = label([name, name], widthPx);
        const width = textWidth(`${drawn?.name ?? ''}  ${drawn?.amount ?? ''}`, font);
        if (drawn !== undefined && drawn.name !== '') expect(width).toBeLessThanOrEqual(widthPx);
      }
    }
  });
});
