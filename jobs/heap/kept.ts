import type { Figures as MemoryFigures } from '../../src/allocator/memory-facts.ts';
import { Failure } from '../../src/failure.ts';
import type { Store } from '../../src/ports.ts';
import type { Figures } from '../../src/reading.ts';
import type { Bytes } from '../../src/units.ts';
import type { JobContext } from '../job.ts';
import type { HeapReading } from './reading.ts';

/** The heap that an earlier investigation read, so that it can be drawn otherwise without asking the server again. */
export async function keptHeap(
  target: string,
  investigationId: string,
  { ports, progress }: JobContext,
): Promise<HeapReading> {
  progress('fetching the kept profile');
  const { store } = ports;
  if (store === undefined) throw nothingKept(investigationId, 'nothing is kept in the shell');
  const keys = await store.profilesOf(investigationId);
  const key = keys.find((one) => one.kind === 'heap' && one.target === target);
  const profile = key === undefined ? undefined : await store.profile(key);
  if (key === undefined || profile === undefined) {
    const { profileDays } = await store.size();
    throw nothingKept(investigationId, `profiles are kept for ${profileDays} days`);
  }
  return {
    profile,
    source: 'kept',
    text: undefined,
    figures: await keptFigures(store, target, investigationId),
    classRoundingBytes: undefined,
    isProfiledGlobally: undefined,
    readAtMicros: key.atMicros,
    startedAtMicros: undefined,
    gaps: [],
    notes: profile.notes,
  };
}

async function keptFigures(
  store: Store,
  target: string,
  investigationId: string,
): Promise<MemoryFigures> {
  const readings = await store.readingsOf(investigationId);
  const figures = readings.find((one) => one.kind === 'heap' && one.target === target)?.figures;
  const figure = (name: keyof MemoryFigures, bytes: Bytes | undefined): MemoryFigures =>
    bytes === undefined ? {} : { [name]: { bytes, source: `kept of ${investigationId}` } };
  return figures === undefined ? {} : toMemoryFigures(figures, figure);
}

function toMemoryFigures(
  { allocatedBytes, activeBytes, residentBytes, rssBytes }: Figures,
  figure: (name: keyof MemoryFigures, bytes: Bytes | undefined) => MemoryFigures,
): MemoryFigures {
  return {
    ...figure('allocated', allocatedBytes),
    ...figure('active', activeBytes),
    ...figure('resident', residentBytes),
    ...figure('rss', rssBytes),
  };
}

function nothingKept(investigationId: string, why: string): Failure {
  return new Failure('not-found', {
    what: `There is no kept heap profile of investigation ${investigationId}`,
    why,
    fix: 'Leave from: out to read the heap anew',
  });
}
