import { expect, test } from 'vitest';
import type { CallTree } from '../../src/profile/call-tree.ts';
import { frameName } from '../../src/profile/frame-table.ts';
import { functionTotals } from '../../src/profile/function-totals.ts';
import { AT_LEAF } from '../../src/profile/noise.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { subtractBase } from '../../src/profile/subtract-base.ts';
import { trim } from '../../src/profile/trim.ts';
import type { ReadOptions } from '../../src/readers/read-options.ts';
import { readProfile } from '../../src/readers/read-profile.ts';
import { jeprofFixture, parseJeprofText } from '../support/jeprof-text.ts';

/** How far an amount may be from jeprof's, which cuts the fraction off. */
const TRUNCATION = 1 + 1e-6;

function read(name: string, options: ReadOptions = {}): Profile {
  return readProfile(jeprofFixture(`${name}.symbolized`), options);
}

/** jeprof leaves out what stands below the first function of the allocator; here that is always malloc. */
function asJeprofCuts(tree: CallTree): CallTree {
  const noise = new Uint8Array(tree.nodeCount);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const isMalloc = frameName(tree.frames, tree.frame[node] as number) === 'malloc';
    if (isMalloc || noise[tree.parent[node] as number] === AT_LEAF) noise[node] = AT_LEAF;
  }
  return trim(tree, noise).tree;
}

/** As jeprof names functions: without argument lists. */
function shownName(name: string): string {
  return name.replace(/\([^()]*\)/g, '');
}

function expectAsJeprof(profile: Profile, table: string, measure: 'bytes' | 'count'): void {
  const { total, rows } = parseJeprofText(jeprofFixture(table).toString());
  const tree = asJeprofCuts(profile.tree);
  const totals = functionTotals(tree, measure);
  const ids = new Map(
    Array.from({ length: tree.frames.size }, (_, id) => [
      shownName(frameName(tree.frames, id)),
      id,
    ]),
  );
  const ours = measure === 'bytes' ? profile.totalBytes : profile.totalCount;
  expect(Math.abs(ours - total)).toBeLessThan(TRUNCATION);
  expect(rows.length).toBeGreaterThan(7);
  for (const { name, flat, cum } of rows) {
    const id = ids.get(name.replace(' (inline)', '')) ?? -1;
    const isOff = {
      flat: (totals.self[id] ?? Number.NaN) - flat,
      cum: (totals.total[id] ?? Number.NaN) - cum,
    };
    expect([name, Math.abs(isOff.flat) < TRUNCATION, Math.abs(isOff.cum) < TRUNCATION]).toEqual([
      name,
      true,
      true,
    ]);
  }
}

test.each(['before', 'after'])('%s: bytes are jeprof’s, of each function and in all', (name) => {
  expectAsJeprof(read(name), `${name}.bytes.txt`, 'bytes');
});

test.each(['before', 'after'])('%s: objects are jeprof’s, of each function and in all', (name) => {
  expectAsJeprof(read(name), `${name}.objects.txt`, 'count');
});

test.each(['before', 'after'])('%s: what was ever allocated is jeprof’s --alloc_space', (name) => {
  expectAsJeprof(read(name, { values: 'accumulated' }), `${name}.accumulated.txt`, 'bytes');
});

test('a base taken away leaves what jeprof --base leaves, negative amounts too', () => {
  const change = subtractBase(read('after'), read('before'));
  expectAsJeprof(change, 'base.bytes.txt', 'bytes');
  expectAsJeprof(change, 'base.objects.txt', 'count');
});

test('nothing is left of a profile without itself', () => {
  const { totalBytes, totalCount, tree } = subtractBase(read('after'), read('after'));
  expect([totalBytes, totalCount]).toEqual([0, 0]);
  expect(tree.selfBytes.every((bytes) => bytes === 0)).toBe(true);
});

test.each(['before', 'after'])(
  '%s: collapsed stacks of jeprof hold what the dump holds',
  (name) => {
    const collapsed = readProfile(jeprofFixture(`${name}.collapsed`));
    // Each stack was cut to a whole number.
    const dump = read(name);
    expect(dump.totalBytes - collapsed.totalBytes).toBeLessThan(collapsed.stackCount * TRUNCATION);
    expect(collapsed.totalBytes).toBeLessThanOrEqual(dump.totalBytes);
  },
);

test('the address that jeprof puts behind a name is no part of it, in dumps and in collapsed stacks', () => {
  for (const file of ['after.symbolized', 'after.collapsed']) {
    const { frames } = readProfile(jeprofFixture(file)).tree;
    const names = Array.from({ length: frames.size }, (_, id) => frameName(frames, id));
    expect(names.filter((name) => /<[0-9a-f]+>/.test(name))).toEqual([]);
    expect(names).toContain('build_index');
  }
});

test('the numbers as they stand are the sum of what the dump says of each stack', () => {
  const lines = jeprofFixture('after.symbolized')
    .toString()
    .matchAll(/^@.*\n {2}t\*: \d+: (\d+)/gm);
  const bytes = Array.from(lines, ([, amount]) => Number(amount));
  const sampled = read('after', { numbers: 'sampled' });
  expect(sampled).toMatchObject({
    unsampled: false,
    totalBytes: bytes.reduce((sum, amount) => sum + amount, 0),
  });
  expect(sampled.notes).toContain(
    'These are the numbers as they stand in the dump: neither sampled bytes nor memory',
  );
});
