import { expect, it } from 'vitest';
import { investigationIdOf } from '../../src/slack/investigation-id.ts';

it('gives the same request the same id, and others others', () => {
  const ids = Array.from({ length: 2000 }, (_, index) => investigationIdOf(`event:Ev${index}`));
  expect(new Set(ids).size).toBe(2000);
  expect(ids[7]).toBe(investigationIdOf('event:Ev7'));
  expect(ids.every((id) => /^[0-9a-hjkmnp-tv-z]{8}$/.test(id))).toBe(true);
});
