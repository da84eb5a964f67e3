import { describe, expect, it } from 'vitest';
import { frameName } from '../../src/profile/frame-table.ts';
import { findNoise } from '../../src/profile/noise.ts';
import { treeOf } from '../support/tree-of.ts';

const WORDS = ['', 'leaf', 'root', 'between'];

/** What each frame of the stacks is taken for; frames that are kept without a word. */
function noiseOf(...lines: readonly string[]): readonly string[] {
  const tree = treeOf(lines);
  const noise = findNoise(tree);
  return Array.from({ length: tree.nodeCount }, (_, node) =>
    `${WORDS[noise[node]!]} ${frameName(tree.frames, tree.frame[node]!)}`.trim(),
  ).slice(1);
}

describe('findNoise', () => {
  it('is the beginning of a thread above the first frame that is none, and the allocator with all below it', () => {
    expect(noiseOf('clone3;start_thread;DB::f();je_malloc;DB::hook() 1')).toEqual([
      'root clone3',
      'root start_thread',
      'DB::f()',
      'leaf je_malloc',
      'leaf DB::hook()',
    ]);
  });

  it('is plumbing only where nothing that is kept comes below it', () => {
    expect(noiseOf('DB::f();std::vector<int>::push_back(int);malloc 1')).toEqual([
      'DB::f()',
      'leaf std::vector<int>::push_back(int)',
      'leaf malloc',
    ]);
    expect(noiseOf('DB::f();std::vector<int>::push_back(int);DB::g() 1')).toEqual([
      'DB::f()',
      'std::vector<int>::push_back(int)',
      'DB::g()',
    ]);
  });

  it('decides for each place of a function anew', () => {
    expect(noiseOf('start_thread;DB::f();start_thread 1')).toEqual([
      'root start_thread',
      'DB::f()',
      'start_thread',
    ]);
  });

  it('is nameless code between frames that have names, and below them', () => {
    expect(noiseOf('DB::f();0x7f01;DB::g();libc.so.6+0x10 1')).toEqual([
      'DB::f()',
      'between 0x7f01',
      'DB::g()',
      'leaf libc.so.6+0x10',
    ]);
  });

  it('is nameless code above the beginning of a thread, and above any other name', () => {
    expect(noiseOf('0x7f01;start_thread;DB::f() 1')).toEqual([
      'root 0x7f01',
      'root start_thread',
      'DB::f()',
    ]);
    expect(noiseOf('0x7f01;DB::f() 1')).toEqual(['between 0x7f01', 'DB::f()']);
  });

  it('leaves a stack of nothing but nameless code as it is', () => {
    expect(noiseOf('0x7f01;0x7f02;?? 1')).toEqual(['0x7f01', '0x7f02', '??']);
  });
});
