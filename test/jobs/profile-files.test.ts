import { expect, test } from 'vitest';
import { profileFiles } from '../../jobs/profile-files.ts';
import { readProfile } from '../../src/readers/read-profile.ts';
import { foldedOf, profileOf } from '../support/profile-of.ts';

const named = { name: 'peak-8678d8fe', title: 'Live at the peak of 8678d8fe' };

test('a profile comes as collapsed stacks and as a file for speedscope', () => {
  const files = profileFiles(profileOf({ 'main;insert': 4096, 'main;sort': 100 }), named);
  expect(files.map(({ name, title }) => [name, title])).toEqual([
    ['peak-8678d8fe.collapsed.txt', 'Live at the peak of 8678d8fe, collapsed stacks'],
    ['peak-8678d8fe.speedscope.json', 'Live at the peak of 8678d8fe, for speedscope.app'],
  ]);
  const [collapsed, speedscope] = files.map(({ bytes }) => bytes);
  expect(foldedOf(readProfile(collapsed as Uint8Array))).toEqual([
    'main;insert 4096',
    'main;sort 100',
  ]);
  expect(JSON.parse(Buffer.from(speedscope as Uint8Array).toString()).profiles[0].endValue).toBe(
    4196,
  );
});

test('a query id that is free text becomes a name that stays in its folder', () => {
  const [file] = profileFiles(profileOf({ a: 1 }), { ...named, name: 'peak-../../etc/pass wd' });
  expect(file?.name).toBe('peak-.._.._etc_pass_wd.collapsed.txt');
});

test('files that are too large for a chat are left out, each by its own size', () => {
  const deep = Array.from({ length: 300 }, (_, level) => `function_with_a_long_name_${level}`);
  const large = Object.fromEntries(
    Array.from({ length: 3000 }, (_, leaf) => [`${deep.join(';')};leaf${leaf}`, 1]),
  );
  expect(profileFiles(profileOf(large), named).map(({ name }) => name)).toEqual([
    'peak-8678d8fe.speedscope.json',
  ]);
});

test('there are no files of a profile that holds nothing', () => {
  expect(profileFiles(profileOf({}), named)).toEqual([]);
});
