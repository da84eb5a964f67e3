import { toFailure } from '../src/failure.ts';
import type { Milliseconds } from '../src/units.ts';
import type { JobContext } from './job.ts';

/** With inlined frames a large server needs about 10 s; what takes much longer hangs. */
export const FLUSH_DEADLINE_MS: Milliseconds = 60_000;

export type DumpFormat = 'symbolized' | 'raw' | 'collapsed';

export interface Flushed {
  /** Of the dump on the server; undefined when it does not tell, as before 25.9. */
  readonly path: string | undefined;
  /** Why the format was the server's choice. */
  readonly formatRefusal: string | undefined;
}

/** Makes a ClickHouse server write a heap dump on its disk, in this format where it can. */
export async function flushDump(
  target: string,
  format: DumpFormat,
  context: JobContext,
): Promise<Flushed> {
  try {
    return { path: pathIn(await flush(target, context, format)), formatRefusal: undefined };
  } catch (thrown) {
    const failure = toFailure(thrown);
    // Servers before 26.2 do not know the setting and choose the format themselves.
    if (failure.kind !== 'setting-refused') throw failure;
    const formatRefusal = failure.why ?? failure.what;
    return { path: pathIn(await flush(target, context)), formatRefusal };
  }
}

function flush(
  target: string,
  { ports, signal }: JobContext,
  format?: DumpFormat,
): Promise<string> {
  return ports.clickhouse.statement(target, 'SYSTEM JEMALLOC FLUSH PROFILE', {
    signal,
    deadlineMs: FLUSH_DEADLINE_MS,
    ...(format === undefined ? {} : { settings: { jemalloc_profile_text_output_format: format } }),
  });
}

/** The first line that is not blank. */
export function pathIn(answer: string): string | undefined {
  return /^\S.*$/m.exec(answer)?.[0].trim();
}
