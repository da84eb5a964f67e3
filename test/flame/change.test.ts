import { describe, expect, it } from 'vitest';
import { drawnChange } from '../../src/flame/change.ts';

describe('drawnChange', () => {
  it.each([
    [0, 5, 'new'],
    [5, 0, 'gone'],
    [0, 0, 'same'],
    [1000, 1009, 'same'],
    [100, 110, 'grown little'],
    [100, 150, 'grown much'],
    [100, 200, 'grown most'],
    [110, 100, 'shrunk little'],
    [200, 100, 'shrunk most'],
  ])('from %d to %d is %s', (before, after, change) => {
    expect(drawnChange(before, after)).toBe(change);
  });
});
