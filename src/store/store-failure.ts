import { Failure } from '../failure.ts';
import { formatBytes } from '../format.ts';
import type { Bytes, Milliseconds } from '../units.ts';

/** The answer, or `store-unavailable` when it fails or does not come in time. */
export async function answerOf<T>(
  place: string,
  deadlineMs: Milliseconds,
  command: Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${deadlineMs} ms`)),
      deadlineMs,
    ).unref();
  });
  try {
    return await Promise.race([command, late]);
  } catch (cause) {
    // Loses the race: whatever comes of it later is of no interest.
    command.catch(() => undefined);
    if (cause instanceof Failure) throw cause;
    throw storeUnavailable(place, cause);
  } finally {
    clearTimeout(timer);
  }
}

function storeUnavailable(place: string, cause: unknown): Failure {
  return new Failure('store-unavailable', {
    what: `The store (${place}) cannot be reached, so nothing can be kept or compared`,
    why: cause instanceof Error ? cause.message : String(cause),
    fix: 'Try again in a minute; if it stays, whoever runs memprof should look at the store',
    cause,
  });
}

export function newerSchema(place: string, found: number, known: number): Failure {
  return new Failure('environment', {
    what: `The store (${place}) was written by a newer memprof`,
    why: `it has schema ${found}, and this memprof knows schemas up to ${known}`,
    fix: 'Bring bot and workers to the newer version, or give this one a store of its own',
  });
}

export function storeFull(place: string, why: string, fix: string): Failure {
  return new Failure('store-full', {
    what: `The store (${place}) is full, so this was not kept`,
    why,
    fix,
  });
}

export function beyondBudget(place: string, needBytes: Bytes, budgetBytes: Bytes): Failure {
  return storeFull(
    place,
    `${formatBytes(needBytes)} do not fit its budget of ${formatBytes(budgetBytes)} beside the readings, which are kept for ever`,
    'Raise store.budgetMiB in the config, or forget old investigations with memprof forget <id>',
  );
}
