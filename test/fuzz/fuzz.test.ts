import { expect, test } from 'vitest';
import { readProfile } from '../../src/readers/read-profile.ts';
import { Random } from '../support/random.ts';
import { mutate } from './mutate.ts';
import { expectedSum } from './naive.ts';
import { checkInput } from './properties.ts';
import { fuzzSeeds } from './seeds.ts';

const seeds = fuzzSeeds();

test('what the fuzz run begins with is read or refused as it should be', () => {
  const answers = seeds.map((input) => checkInput(input, new Random(1)));
  expect(answers.filter((answer) => answer === 'refused')).toHaveLength(3);
});

test('a hundred mutations of each are a profile or a refusal in a sentence', () => {
  const random = new Random(20_261_201);
  for (const seed of seeds) {
    for (let round = 0; round < 100; round += 1) {
      checkInput(mutate(seed, random, random.pick(seeds)), random);
    }
  }
});

test('the same seed makes the same mutations', () => {
  const [input, other] = [seeds[0] as Buffer, seeds[1] as Buffer];
  const made = (seed: number) => mutate(input, new Random(seed), other);
  expect(made(5).equals(made(5))).toBe(true);
  expect(made(5).equals(made(6))).toBe(false);
});

test('the second reader notices what the first one would lose', () => {
  const input = Buffer.from('main;a 5\nmain;b 6\n');
  const profile = readProfile(Buffer.from('main;a 5\n'));
  expect(expectedSum(input, profile, {})?.sum).toBe(11);
  expect(profile.totalBytes).toBe(5);
});
