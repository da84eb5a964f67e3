import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trim } from '../../src/profile/trim.ts';
import { foldedOf } from '../support/profile-of.ts';
import { anyTree, sumsOf, treeOf } from '../support/tree-of.ts';

function trimmed(...lines: readonly string[]): readonly string[] {
  return foldedOf(trim(treeOf(lines)));
}

test('takes allocator and thread start off, and says of how many functions', () => {
  const { tree, functionCount } = trim(
    treeOf([
      'clone3;start_thread;DB::Aggregator::execute();operator new(unsigned long);je_malloc;prof_backtrace 8',
    ]),
  );
  expect(foldedOf({ tree })).toEqual(['DB::Aggregator::execute() 8']);
  expect(functionCount).toBe(5);
});

test('takes everything below the outermost allocator frame off, as jeprof does', () => {
  expect(trimmed('DB::f();malloc;DB::hook();DB::Aggregator::execute() 8')).toEqual(['DB::f() 8']);
});

test('takes off functions of jemalloc’s arenas, but not the rest of a size class that nobody is known to hold', () => {
  expect(trimmed('DB::f();arena_malloc_hard 1', '[unattributed];arena_3_class_4096 2')).toEqual([
    'DB::f() 1',
    '[unattributed];arena_3_class_4096 2',
  ]);
});

test('takes what stands before the allocator off only where nothing else is below it', () => {
  expect(
    trimmed(
      'DB::f();std::__1::vector<int>::push_back(int);operator new(unsigned long) 1',
      'DB::f();std::__1::function<void ()>::operator()();DB::g();operator new(unsigned long) 2',
    ),
  ).toEqual(['DB::f() 1', 'DB::f();std::__1::function<void ()>::operator()();DB::g() 2']);
});

test('takes the memory tracker and its profiler off stacks of MemorySample', () => {
  expect(
    trimmed(
      'DB::f();Allocator<false, false>::realloc(void*, unsigned long);MemoryTracker::alloc(long);StackTrace::StackTrace() 3',
    ),
  ).toEqual(['DB::f() 3']);
});

test('merges what different threads did', () => {
  expect(trimmed('start_thread;DB::f() 1', '_start;main;DB::f() 2')).toEqual(['DB::f() 3']);
});

test('leaves a frame in the middle of a stack alone that would be noise at its root', () => {
  expect(trimmed('DB::f();start_thread;DB::g() 1')).toEqual(['DB::f();start_thread;DB::g() 1']);
});

test('a stack that is nothing but noise keeps the frame that says most', () => {
  expect(
    trimmed('start_thread;ThreadPool::worker;malloc;je_malloc 1', 'malloc;je_malloc 2', ' 4'),
  ).toEqual([' 4', 'ThreadPool::worker 1', 'malloc 2']);
});

test('never loses a byte, an object or a sample', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      expect(sumsOf(trim(tree).tree)).toEqual(sumsOf(tree));
    }),
  );
});

test('finds nothing more to take off what it trimmed', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      const once = trim(tree).tree;
      expect(foldedOf({ tree: trim(once).tree })).toEqual(foldedOf({ tree: once }));
    }),
  );
});

test('trims a stack of 20,000 frames', () => {
  const deep = Array.from({ length: 20_000 }, (_, depth) => `f${depth}`).join(';');
  expect(sumsOf(trim(treeOf([`${deep};malloc 7`])).tree).bytes).toBe(7);
});
