import { formatCount, formatShare } from '../format.ts';
import type { Count } from '../units.ts';
import type { ReadOptions } from './read-options.ts';

interface HeapFacts {
  readonly options: ReadOptions;
  readonly hasAccumulated: boolean;
  readonly hasMappings: boolean;
  /** Something came behind the dump, and was left out. */
  readonly isFollowed: boolean;
  readonly frameCount: Count;
  /** Frames that are shown as addresses. */
  readonly namelessCount: Count;
}

/** What a reader of a dump's numbers must know. */
export function heapNotes(facts: HeapFacts): readonly string[] {
  const notes: string[] = [];
  const { options, frameCount, namelessCount } = facts;
  if (options.numbers === 'sampled') {
    notes.push('These are the numbers as they stand in the dump: neither sampled bytes nor memory');
  }
  if (options.values === 'accumulated' && !facts.hasAccumulated) {
    notes.push('The dump has no accumulated numbers: the server ran without prof_accum');
  }
  if (namelessCount > 0) {
    const share = formatShare(namelessCount / frameCount);
    notes.push(
      `${formatCount(namelessCount)} of ${formatCount(frameCount)} frames (${share}) have no name and are shown by their addresses`,
    );
  }
  if (!facts.hasMappings)
    notes.push('The dump has no list of libraries at its end: it may be cut off');
  if (facts.isFollowed)
    notes.push(
      'What comes behind the dump is left out: names belong before it, and another dump into a file of its own',
    );
  return notes;
}
