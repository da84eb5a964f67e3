import { expect, test } from 'vitest';
import { NameMemory } from '../../src/profile/name-memory.ts';

const MEBIBYTE = 1 << 20;

test('answers stay until their names take too much, and then all go', () => {
  const memory = new NameMemory<number | undefined>();
  for (let number = 0; number < 8; number += 1) memory.set(`${number}`.repeat(MEBIBYTE), number);
  expect(memory.get('0'.repeat(MEBIBYTE))).toBe(0);
  memory.set('main', undefined);
  expect([memory.has('0'.repeat(MEBIBYTE)), memory.has('main')]).toEqual([false, true]);
  expect(memory.get('main')).toBeUndefined();
});

test('a part of a long name counts as all of it, and what is too long is not kept at all', () => {
  const memory = new NameMemory<number>();
  memory.set('part', 1, 5 * MEBIBYTE);
  memory.set('other', 2, 4 * MEBIBYTE);
  expect([memory.get('part'), memory.get('other')]).toEqual([undefined, 2]);
  memory.set('endless', 3, 9 * MEBIBYTE);
  expect(memory.has('endless')).toBe(false);
});
