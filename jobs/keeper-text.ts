import { toFailure } from '../src/failure.ts';
import type { JobContext } from './job.ts';
import { requireSources } from './sources.ts';

/** jemalloc's statistics of a Keeper, by its HTTP control, else by the word `jmst`. */
export async function statsTextOfKeeper(target: string, context: JobContext): Promise<string> {
  const { keeper } = requireSources(context);
  const { signal } = context;
  const { hasControl, hasWords } = keeper.ways(target);
  if (!hasControl) return keeper.word(target, 'jmst', { signal });
  try {
    return new TextDecoder().decode(await keeper.page(target, 'stats', { signal }));
  } catch (thrown) {
    const failure = toFailure(thrown);
    if (!hasWords || failure.kind === 'cancelled') throw failure;
    return keeper.word(target, 'jmst', { signal });
  }
}

/** A warning when anybody who reaches the HTTP control can read the heap of this Keeper; at most one. */
export function exposedNote(target: string, context: JobContext): readonly string[] {
  if (!requireSources(context).keeper.ways(target).isControlExposed) return [];
  return [
    `The HTTP control of ${target} answers from another host and knows no password: whoever reaches it can read its heap profiles and send it commands. Bind it to localhost (keeper_server.http_control), or shield the port`,
  ];
}
