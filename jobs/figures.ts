import type { Figures as MemoryFigures } from '../src/allocator/memory-facts.ts';
import type { Figures } from '../src/reading.ts';
import type { Bytes } from '../src/units.ts';

/** What a reading keeps of the allocator's figures: whole bytes, and nothing for what was not read. */
export function toFigures({ allocated, active, resident, rss }: MemoryFigures): Figures {
  return {
    ...figure('allocatedBytes', allocated?.bytes),
    ...figure('activeBytes', active?.bytes),
    ...figure('residentBytes', resident?.bytes),
    ...figure('rssBytes', rss?.bytes),
  };
}

function figure(name: keyof Figures, bytes: Bytes | undefined): Figures {
  return bytes === undefined ? {} : { [name]: Math.round(bytes) };
}
