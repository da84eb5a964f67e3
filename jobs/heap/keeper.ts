import { Failure } from '../../src/failure.ts';
import { FLUSH_DEADLINE_MS, pathIn } from '../flush-dump.ts';
import type { JobContext } from '../job.ts';
import { requireSources } from '../sources.ts';
import { emptyHeap, type HeapText } from './text.ts';

/** The live heap by Keeper's HTTP control, which names functions and leaves no file. */
export async function controlPageOf(target: string, context: JobContext): Promise<HeapText> {
  const bytes = await requireSources(context).keeper.page(target, 'collapsed-profile', {
    signal: context.signal,
  });
  if (bytes.length === 0) throw emptyHeap(target);
  const notes = ['Inlined functions are missing: Keeper never names them'];
  return { source: 'HTTP control', bytes, notes };
}

/** A dump that Keeper writes on the word `jmfp`, read from the folder that the config names. */
export async function keeperDumpOf(target: string, context: JobContext): Promise<HeapText> {
  const { keeper, dumps } = requireSources(context);
  if (!dumps.isConfigured(target)) {
    throw new Failure('feature-missing', {
      what: `The config does not say how to read the dumps that Keeper ${target} writes`,
      why: `targets.${target}.dumpFolder is not set`,
      fix: `Set targets.${target}.controlUrl (Keeper 26.4 or newer), or mount the folder of its dumps and set dumpFolder`,
    });
  }
  const answer = await keeper.word(target, 'jmfp', {
    signal: context.signal,
    deadlineMs: FLUSH_DEADLINE_MS,
  });
  const path = pathIn(answer) ?? '';
  const bytes = await dumps.read(target, path);
  if (bytes !== undefined) {
    return { source: 'jmfp', bytes, path, notes: [`The dump lies on ${target} as ${path}`] };
  }
  throw new Failure('not-found', {
    what: `The dump ${path} of Keeper ${target} is not in the folder that the config names`,
    fix: `Let targets.${target}.dumpFolder be the folder in which Keeper writes its dumps`,
  });
}
