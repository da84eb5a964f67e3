import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameName } from '../../src/profile/frame-table.ts';
import { neighboursOf } from '../../src/profile/neighbours.ts';
import { topSites } from '../../src/profile/top.ts';
import { anyTree, sumsOf, treeOf } from '../support/tree-of.ts';

const tree = treeOf(['main;insert 30', 'main;select;sort 50', 'main;select 5', 'idle 1']);

test('the largest by what ends in a function first, with everything that is known of it', () => {
  expect(topSites({ tree }, { limit: 1 })).toEqual([
    {
      name: 'sort',
      selfBytes: 50,
      totalBytes: 50,
      selfCount: 2,
      totalCount: 2,
      samples: 1,
      errorShare: 1,
      isWeak: true,
    },
  ]);
});

test('by total, and its samples are those behind the total', () => {
  expect(
    topSites({ tree }, { by: 'total' }).map(({ name, totalBytes, samples }) => [
      name,
      totalBytes,
      samples,
    ]),
  ).toEqual([
    ['main', 85, 3],
    ['select', 55, 2],
    ['sort', 50, 1],
    ['insert', 30, 1],
    ['idle', 1, 1],
  ]);
});

test('recursion counts once', () => {
  const recursive = treeOf(['f;f;g;f 4', 'f;h 2']);
  const [f] = topSites({ tree: recursive }, { by: 'total' });
  expect(f).toMatchObject({ name: 'f', totalBytes: 6, selfBytes: 4 });
});

test('focus keeps stacks with a function, ignore leaves them out', () => {
  const names = (options: Parameters<typeof topSites>[1]): readonly string[] =>
    topSites({ tree }, options).map(({ name }) => name);
  expect(names({ focus: /select/ })).toEqual(['sort', 'select', 'main']);
  expect(names({ ignore: /select/g })).toEqual(['insert', 'idle', 'main']);
  expect(names({ focus: /main/, ignore: /sort|insert/ })).toEqual(['select', 'main']);
});

test('without samples nothing is called weak', () => {
  const unsampled = treeOf(['f 1'], () => ({}));
  expect(topSites({ tree: unsampled })).toMatchObject([
    { samples: undefined, errorShare: undefined, isWeak: false, selfCount: 0 },
  ]);
});

test('from ten samples on a figure is not weak, and its error shrinks with the root', () => {
  const rows = topSites({ tree: treeOf(['a 9', 'b 16'], (bytes) => ({ samples: bytes })) });
  expect(rows).toMatchObject([
    { name: 'b', isWeak: false, errorShare: 0.25 },
    { name: 'a', isWeak: true, errorShare: 1 / 3 },
  ]);
});

test('callers and callees of a function add up to what passes through it', () => {
  const { callers, callees } = neighboursOf({ tree }, /^select$/);
  expect(callers).toMatchObject([{ name: 'main', bytes: 55, count: 4, samples: 2 }]);
  expect(callees).toMatchObject([
    { name: 'sort', bytes: 50 },
    { name: '', bytes: 5 },
  ]);
});

test('of a recursion the outermost caller and what is below the innermost call count', () => {
  const { callers, callees } = neighboursOf({ tree: treeOf(['a;f;b;f;c;d 8']) }, /^f$/);
  expect(callers).toMatchObject([{ name: 'a', bytes: 8 }]);
  expect(callees).toMatchObject([{ name: 'c', bytes: 8 }]);
});

test('sums by function agree with counting stack by stack', () => {
  fc.assert(
    fc.property(anyTree, (any) => {
      const self = new Map<string, number>();
      const total = new Map<string, number>();
      for (let node = 1; node < any.nodeCount; node += 1) {
        const bytes = any.selfBytes[node] as number;
        const seen = new Set<string>();
        for (let at = node; at > 0; at = any.parent[at] as number) {
          seen.add(frameName(any.frames, any.frame[at] as number));
        }
        const [leaf = ''] = seen;
        self.set(leaf, (self.get(leaf) ?? 0) + bytes);
        for (const name of seen) total.set(name, (total.get(name) ?? 0) + bytes);
      }
      for (const row of topSites({ tree: any })) {
        expect([row.selfBytes, row.totalBytes]).toEqual([self.get(row.name), total.get(row.name)]);
      }
      const rooted = sumsOf(any).bytes - (any.selfBytes[0] as number);
      expect(topSites({ tree: any }).reduce((sum, row) => sum + row.selfBytes, 0)).toBe(rooted);
    }),
  );
});
