import type { Bytes } from '../units.ts';
import type { AllocatorTotals } from './stats.ts';
import { createMutexReader } from './stats-mutex.ts';

/** Reads what stands before the arenas: options in force, sizes, totals, mutexes of the process. */
export function createGeneralReader() {
  const values = new Map<string, string>();
  const options: Record<string, string> = {};
  const mutexes = createMutexReader();
  let totals: AllocatorTotals | undefined;
  return {
    /** "Version", "Page size", "Arenas" … as printed. */
    values: values as ReadonlyMap<string, string>,
    options: options as Readonly<Record<string, string>>,
    mutexes: mutexes.all,
    totals: () => totals,
    read(line: string) {
      if (mutexes.read(line)) return;
      if (line.startsWith('Allocated: ')) {
        totals = toTotals(line);
        return;
      }
      const option = OPTION.exec(line);
      if (option !== null) Object.assign(options, toOptions(option[1] as string, option[2] ?? ''));
      const value = VALUE.exec(line);
      if (value !== null) values.set(value[1] as string, unquoted(value[2] as string));
    },
  };
}

const VALUE = /^([A-Z][A-Za-z -]*): (.+)$/;
const OPTION = /^ {2}([a-z_]+\.[a-z0-9_.]+): (.*)$/;

/** "opt.lg_prof_sample: 16 (prof.lg_sample: 19)": what was asked for at the start, and what is in force now. */
function toOptions(name: string, text: string): Readonly<Record<string, string>> {
  const now = / \(([a-z_.]+): ([^()]*)\)$/.exec(text);
  if (now === null) return { [name]: unquoted(text) };
  return { [name]: unquoted(text.slice(0, now.index)), [now[1] as string]: unquoted(now[2] ?? '') };
}

function unquoted(text: string): string {
  return /^".*"$/.test(text) ? text.slice(1, -1) : text;
}

/** "Allocated: 1, active: 2, metadata: 3 (n_thp 4, edata 5, rtree 6), resident: …" */
function toTotals(line: string): AllocatorTotals | undefined {
  const values = new Map<string, Bytes>();
  for (const { 1: name, 2: value } of line.matchAll(/(\w+):? (\d+)/g)) {
    values.set((name as string).toLowerCase(), Number(value));
  }
  const [allocatedBytes, activeBytes, metadataBytes, residentBytes, mappedBytes] = TOTALS.map(
    (name) => values.get(name),
  );
  if (allocatedBytes === undefined || activeBytes === undefined) return undefined;
  if (metadataBytes === undefined || residentBytes === undefined) return undefined;
  if (mappedBytes === undefined) return undefined;
  return {
    allocatedBytes,
    activeBytes,
    metadataBytes,
    residentBytes,
    mappedBytes,
    retainedBytes: values.get('retained'),
    metadataHugePages: values.get('n_thp'),
    edataBytes: values.get('edata'),
    rtreeBytes: values.get('rtree'),
    pinnedBytes: values.get('pinned'),
  };
}

const TOTALS = ['allocated', 'active', 'metadata', 'resident', 'mapped'] as const;
