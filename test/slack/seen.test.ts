import { expect, it } from 'vitest';
import { createSeen } from '../../src/slack/seen.ts';

it('knows a second delivery for ten minutes', () => {
  let now = 0;
  const isSeen = createSeen(() => now);
  expect(isSeen('event:Ev1')).toBe(false);
  now += 5 * 60_000_000;
  expect(isSeen('event:Ev1')).toBe(true);
  expect(isSeen('event:Ev2')).toBe(false);
  now += 6 * 60_000_000;
  expect(isSeen('event:Ev1')).toBe(false);
});

it('does not grow for ever', () => {
  const isSeen = createSeen(() => 0);
  for (let index = 0; index <= 20_000; index += 1) isSeen(`event:${index}`);
  expect(isSeen('event:0')).toBe(false);
  expect(isSeen('event:20000')).toBe(true);
});
