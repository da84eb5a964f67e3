import { expect, test } from 'vitest';
import { subtractBase } from '../../src/profile/subtract-base.ts';
import { speedscopeJson } from '../../src/writers/speedscope.ts';
import { profileOf } from '../support/profile-of.ts';

interface SpeedscopeFile {
  readonly $schema: string;
  readonly name: string;
  readonly shared: { readonly frames: readonly { readonly name: string }[] };
  readonly profiles: readonly {
    readonly type: string;
    readonly name: string;
    readonly unit: string;
    readonly startValue: number;
    readonly endValue: number;
    readonly samples: readonly (readonly number[])[];
    readonly weights: readonly number[];
  }[];
}

function fileOf(profile: Parameters<typeof speedscopeJson>[0]): SpeedscopeFile {
  return JSON.parse(Buffer.from(speedscopeJson(profile, 'Heap of chi-3')).toString());
}

/** As speedscope shows it: the stacks of a view with their weights. */
function shown(file: SpeedscopeFile, view: number): readonly string[] {
  const { samples = [], weights = [] } = file.profiles[view] ?? {};
  return samples.map((frames, index) =>
    [...frames.map((frame) => file.shared.frames[frame]?.name), weights[index]].join(' '),
  );
}

test('bytes are the view that opens, objects are beside it', () => {
  const file = fileOf(profileOf({ 'main;"quoted" <b>': 30, 'main;sort': 50 }));
  expect(file).toMatchObject({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    name: 'Heap of chi-3',
    activeProfileIndex: 0,
    exporter: 'memprof',
  });
  expect(file.profiles).toMatchObject([
    { type: 'sampled', name: 'bytes', unit: 'bytes', startValue: 0, endValue: 80 },
    { type: 'sampled', name: 'objects', unit: 'none', startValue: 0, endValue: 2 },
  ]);
  expect(shown(file, 0)).toEqual(['main "quoted" <b> 30', 'main sort 50']);
  expect(shown(file, 1)).toEqual(['main "quoted" <b> 1', 'main sort 1']);
});

test('what shrank is a view of its own: the format knows no negative weights', () => {
  const { tree, ...rest } = subtractBase(profileOf({ a: 10, b: 5 }), profileOf({ a: 30 }));
  const { selfCount, ...bytesOnly } = tree;
  const file = fileOf({ ...rest, tree: bytesOnly });
  expect(file.profiles.map(({ name }) => name)).toEqual(['bytes, grown', 'bytes, shrunk']);
  expect([shown(file, 0), shown(file, 1)]).toEqual([['b 5'], ['a 20']]);
});

test('a profile of objects alone has one view, of objects', () => {
  const { tree, ...rest } = profileOf({ a: 3 }, { unit: 'count' });
  const { selfCount, ...counted } = tree;
  expect(fileOf({ ...rest, tree: counted }).profiles).toMatchObject([
    { name: 'objects', unit: 'none', weights: [3] },
  ]);
});
