import type { OutgoingFile } from '../../src/ports.ts';
import type { Bytes } from '../../src/units.ts';
import { profileFiles } from '../profile-files.ts';
import type { HeapReading } from './reading.ts';

/** Larger texts stay on the server; a chat is no place for them. */
const MAX_FILE_BYTES: Bytes = 20 * 2 ** 20;

/** The heap for own tools: as it came, as collapsed stacks, and for speedscope. */
export function heapFiles(
  target: string,
  { text, profile }: Pick<HeapReading, 'text' | 'profile'>,
): readonly OutgoingFile[] {
  return [
    ...asItCame(target, { text, profile }),
    ...profileFiles(profile, { name: `heap-${target}`, title: `Live heap of ${target}` }),
  ];
}

function asItCame(
  target: string,
  { text, profile }: Pick<HeapReading, 'text' | 'profile'>,
): readonly OutgoingFile[] {
  // Collapsed stacks are written anyhow.
  if (text === undefined || text.bytes.length > MAX_FILE_BYTES || profile.kind === 'collapsed') {
    return [];
  }
  return [
    {
      name: `heap-${target}.${profile.kind === 'heap_v2' ? 'heap' : `heap.${profile.kind}`}`,
      title: `Live heap of ${target} as it came, for jeprof and memprof render`,
      bytes: text.bytes,
    },
  ];
}
