import type { OutgoingFile } from '../../src/ports.ts';
import type { Bytes } from '../../src/units.ts';
import type { HeapReading } from './reading.ts';

/** Larger texts stay on the server; a chat is no place for them. */
const MAX_FILE_BYTES: Bytes = 20 * 2 ** 20;

/** The heap as it came, for own tools. */
export function heapFiles(
  target: string,
  { text, profile }: Pick<HeapReading, 'text' | 'profile'>,
): readonly OutgoingFile[] {
  if (text === undefined || text.bytes.length > MAX_FILE_BYTES) return [];
  const suffix = profile.kind === 'heap_v2' ? 'heap' : profile.kind;
  return [
    {
      name: `${target}-heap.${suffix}`,
      title: `Live heap of ${target} as it came`,
      bytes: text.bytes,
    },
  ];
}
