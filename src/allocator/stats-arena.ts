import type { Bytes, Count } from '../units.ts';
import type {
  AllocationStats,
  ArenaStats,
  BinStats,
  DecayStats,
  ExtentStats,
  LargeClassStats,
} from './stats.ts';
import { createMutexReader } from './stats-mutex.ts';
import { readHeader, readRow, type StatsRow, type StatsTable } from './stats-table.ts';

type TableKind = 'decay' | 'allocations' | 'bins' | 'large' | 'extents';

/** How each table of an arena begins, and how its rows do. Only the table of large classes has the word "size". */
const TABLES: readonly {
  readonly kind: TableKind;
  readonly title: string;
  readonly header: RegExp;
  readonly row: RegExp;
}[] = [
  { kind: 'decay', title: 'decaying:', header: /^decaying: +time/, row: /^ *(?:dirty|muzzy):/ },
  { kind: 'allocations', title: '', header: /^ +allocated +nmalloc/, row: /^(?:small|large):/ },
  { kind: 'bins', title: 'bins:', header: /^bins: +size/, row: /^ +\d/ },
  { kind: 'large', title: 'large:', header: /^large: +size/, row: /^ +\d/ },
  { kind: 'extents', title: 'extents:', header: /^extents: +size/, row: /^ +\d/ },
];

interface TitledRow {
  /** "dirty", "small"; empty in tables whose rows have none. */
  readonly title: string;
  readonly row: StatsRow;
}

/** Reads the section of one arena, or of a sum over arenas. */
export function createArenaReader(index: number | undefined) {
  const rows: Record<TableKind, TitledRow[]> = {
    decay: [],
    allocations: [],
    bins: [],
    large: [],
    extents: [],
  };
  const values = new Map<string, string>();
  const mutexes = createMutexReader();
  let open:
    | { readonly table: StatsTable; readonly row: RegExp; readonly to: TitledRow[] }
    | undefined;
  let unreadLines = 0;
  return {
    unreadLines: () => unreadLines,
    arena: () => toArena(index, values, rows, mutexes.all()),
    read(line: string) {
      if (mutexes.read(line)) return;
      const begun = TABLES.find(({ header }) => header.test(line));
      if (begun !== undefined) {
        open = { table: readHeader(line, begun.title), row: begun.row, to: rows[begun.kind] };
        return;
      }
      if (open?.row.test(line)) {
        const title = /^ *[a-z]+:/.exec(line)?.[0] ?? '';
        const row = readRow(open.table, line, title);
        if (row === undefined) unreadLines += 1;
        else open.to.push({ title: title.trim().slice(0, -1), row });
        return;
      }
      const value = VALUE.exec(line);
      if (value !== null) values.set(value[1] as string, value[2] as string);
      // Later tables (huge pages) have rows of digits too.
      else if (/^[A-Z]/.test(line)) open = undefined;
    },
  };
}

/** "active:   8192", "assigned threads: 2", 'name: "auto_0"'. */
const VALUE = /^([a-z_]+(?: threads)?): +"?([^"]+)"?$/;

function toArena(
  index: number | undefined,
  values: ReadonlyMap<string, string>,
  rows: Readonly<Record<TableKind, readonly TitledRow[]>>,
  mutexes: ArenaStats['mutexes'],
): ArenaStats {
  const rowOf = (kind: TableKind, title: string) =>
    rows[kind].find((one) => one.title === title)?.row;
  const memory: Record<string, Bytes> = {};
  for (const [name, value] of values) {
    if (/^\d+$/.test(value) && name !== 'uptime' && !name.includes(' '))
      memory[name] = Number(value);
  }
  const uptime = values.get('uptime');
  return {
    index,
    name: values.get('name'),
    threadCount: Number(values.get('assigned threads') ?? 0),
    uptimeNs: uptime === undefined ? undefined : Number(uptime),
    dirty: toDecay(rowOf('decay', 'dirty')),
    muzzy: toDecay(rowOf('decay', 'muzzy')),
    small: toAllocations(rowOf('allocations', 'small')),
    large: toAllocations(rowOf('allocations', 'large')),
    activeBytes: memory.active ?? 0,
    residentBytes: memory.resident,
    memory,
    mutexes,
    bins: rows.bins.map(({ row }) => toBin(row)),
    largeClasses: rows.large.map(({ row }) => toLargeClass(row)),
    extents: rows.extents.map(({ row }) => toExtent(row)),
  };
}

function toDecay(row: StatsRow | undefined): DecayStats | undefined {
  if (row === undefined) return undefined;
  const decay = row.get('time');
  return {
    decayMs: decay === 'N/A' ? undefined : Number(decay),
    pageCount: count(row, 'npages'),
    purgedPageCount: count(row, 'purged'),
  };
}

function toAllocations(row: StatsRow | undefined): AllocationStats {
  return {
    allocatedBytes: row === undefined ? 0 : count(row, 'allocated'),
    mallocCount: row === undefined ? 0 : count(row, 'nmalloc'),
    freeCount: row === undefined ? 0 : count(row, 'ndalloc'),
  };
}

function toBin(row: StatsRow): BinStats {
  const util = row.get('util');
  return {
    classIndex: count(row, 'ind'),
    sizeBytes: count(row, 'size'),
    mallocCount: count(row, 'nmalloc'),
    freeCount: count(row, 'ndalloc'),
    liveRegions: count(row, 'curregs'),
    slabCount: count(row, 'curslabs'),
    nonfullSlabs: row.has('nonfull_slabs') ? count(row, 'nonfull_slabs') : undefined,
    regionsPerSlab: count(row, 'regs'),
    slabPages: count(row, 'pgs'),
    utilisation: util === undefined || util === 'race' ? undefined : Number(util),
  };
}

function toLargeClass(row: StatsRow): LargeClassStats {
  const sizeBytes = count(row, 'size');
  const extentCount = count(row, 'curlextents');
  return {
    classIndex: count(row, 'ind'),
    sizeBytes,
    extentCount,
    classBytes: extentCount * sizeBytes,
  };
}

function toExtent(row: StatsRow): ExtentStats {
  return {
    sizeBytes: count(row, 'size'),
    dirtyBytes: count(row, 'dirty'),
    muzzyBytes: count(row, 'muzzy'),
    retainedBytes: count(row, 'retained'),
  };
}

function count(row: StatsRow, column: string): Count {
  return Number(row.get(column) ?? 0);
}
