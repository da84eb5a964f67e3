import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStatsText } from '../../src/allocator/stats-text.ts';
import { Failure } from '../../src/failure.ts';

const text = readFileSync('test/fixtures/allocator/stats-5.3.0.txt', 'utf8');

/** Cuts, doubles, or replaces a stretch of the text. */
const mutation = fc.record({
  at: fc.nat(text.length),
  length: fc.nat(2000),
  by: fc.oneof(
    fc.constant(''),
    fc.string({ maxLength: 50 }),
    fc.constantFrom('\n', '\r\n', ' '.repeat(300), '9'.repeat(40), 'bins:', 'arenas[0]:\n', '---'),
  ),
});

describe('parseStatsText on broken texts', () => {
  it('gives finite numbers or refuses with a sentence, and never breaks', () => {
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
        const broken = mutations.reduce(
          (whole, { at, length, by }) => whole.slice(0, at) + by + whole.slice(at + length),
          text,
        );
        try {
          const { totals, merged } = parseStatsText(broken);
          expect(Number.isFinite(totals.allocatedBytes)).toBe(true);
          for (const bin of merged.bins) {
            expect(Number.isFinite(bin.liveRegions * bin.sizeBytes)).toBe(true);
          }
        } catch (thrown) {
          if (!(thrown instanceof Failure)) throw thrown;
          expect(thrown.kind).toBe('unreadable-statistics');
        }
      }),
      { numRuns: 300 },
    );
  });
});
