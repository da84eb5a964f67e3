import { describe, expect, it } from 'vitest';
import { isNameless } from '../../src/profile/nameless.ts';

describe('isNameless', () => {
  it.each(['0x7f51a0b3c2d1', '??', 'libc.so.6+0x1098eb', 'libchdb.so!sub_13c28340'])(
    'knows %s for code that nobody could name',
    (frame) => {
      expect(isNameless(frame)).toBe(true);
    },
  );

  it.each([
    'main',
    '',
    '0x',
    '0xnothex',
    'DB::Aggregator::execute()',
    'operator+0x10 of something',
    'DB::hash+0x10',
    'sub_13c28340',
  ])('takes %j for a name', (frame) => {
    expect(isNameless(frame)).toBe(false);
  });
});
