import { describe, expect, it } from 'vitest';
import { analyseHeap } from '../../../jobs/heap/analysis.ts';
import { toStackFilter } from '../../../jobs/heap/filter-words.ts';
import { profileOf } from '../../support/profile-of.ts';

const profile = profileOf({
  'start_thread;DB::Aggregator::executeOnBlock();DB::Arena::addMemoryChunk();operator new(unsigned long)': 600,
  'start_thread;DB::HashJoin::addBlockToJoin();Allocator<false>::alloc(unsigned long)': 300,
  'start_thread;something::unknown()': 100,
});

describe('analyseHeap', () => {
  it('says who allocated what is live, by subsystem and by function', () => {
    const { subsystems, sites } = analyseHeap(profile, 'bytes', {});
    expect(subsystems.map(({ subsystem, share }) => [subsystem, share])).toEqual([
      ['aggregation', 0.6],
      ['join', 0.3],
      ['unexplained', 0.1],
    ]);
    expect(sites.map(({ name, selfBytes }) => [name, selfBytes])).toEqual([
      ['DB::Arena::addMemoryChunk()', 600],
      ['DB::HashJoin::addBlockToJoin()', 300],
      ['something::unknown()', 100],
    ]);
  });

  it('looks at the stacks that were asked for alone', () => {
    const filter = toStackFilter({ focus: 'hashjoin|unknown', ignore: 'something' });
    const { profile: looked, sites } = analyseHeap(profile, 'bytes', filter);
    expect(looked).toMatchObject({ totalBytes: 300, totalCount: 1 });
    expect(sites.map(({ name }) => name)).toEqual(['DB::HashJoin::addBlockToJoin()']);
    expect(profile.totalBytes).toBe(1000);
  });

  it('finds nothing where nothing matches', () => {
    const { profile: looked, sites } = analyseHeap(
      profile,
      'bytes',
      toStackFilter({ focus: 'zz' }),
    );
    expect(looked.totalBytes).toBe(0);
    expect(sites).toEqual([]);
  });
});

describe('toStackFilter', () => {
  it('takes words for words, not for expressions', () => {
    const { focus } = toStackFilter({ focus: 'operator new[](unsigned long)' });
    expect(focus?.test('operator new[](unsigned long)')).toBe(true);
    expect(focus?.test('operator newX(unsigned long)')).toBe(false);
  });

  it('refuses empty and endless words', () => {
    expect(() => toStackFilter({ focus: ' | ' })).toThrow(
      /focus: needs a part of a function's name/,
    );
    expect(() => toStackFilter({ ignore: 'x'.repeat(501) })).toThrow(/ignore: needs a part/);
  });

  it("tries the team's own rules before the bundled ones", () => {
    const subsystemRules = [{ subsystem: 'our feature', pattern: /HashJoin|Join/ }];
    const { subsystems } = analyseHeap(profile, 'bytes', { subsystemRules });
    expect(subsystems.map(({ subsystem }) => subsystem)).toContain('our feature');
    expect(subsystems.map(({ subsystem }) => subsystem)).not.toContain('join');
  });
});
