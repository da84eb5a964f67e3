/**
 * Tables of jemalloc's statistics text. Values stand right-justified in columns of fixed width, so the header's words
 * end where the values end. A value that fills its column touches the one before it, and a value that is wider than
 * its column pushes the rest of the row to the right (jemalloc, include/jemalloc/internal/emitter.h).
 */
export type StatsTable = readonly StatsColumn[];

interface StatsColumn {
  /** The header's word; a rate is named after its count: "nmalloc/s". */
  readonly name: string;
  /** Where the column ends, exclusive. */
  readonly end: number;
}

const RATE = '(#/sec)';

/** `title` stands before the first column and belongs to none: "bins:". */
export function readHeader(line: string, title = ''): StatsTable {
  const columns: StatsColumn[] = [];
  for (const { 0: word, index } of withoutTitle(line, title).matchAll(/\S+/g)) {
    const name = word === RATE ? `${columns.at(-1)?.name}/s` : word;
    columns.push({ name, end: index + word.length });
  }
  return columns;
}

/** Values by column name. */
export type StatsRow = ReadonlyMap<string, string>;

/** Undefined when the line cannot be split as the header says. `title` as in `readHeader`: "small:". */
export function readRow(table: StatsTable, line: string, title = ''): StatsRow | undefined {
  const text = withoutTitle(line, title);
  const words = text.trim().split(/\s+/);
  const values = words.length === table.length ? words : splitAtEnds(table, text);
  if (values === undefined || !values.every((value) => VALUE.test(value))) return undefined;
  return new Map(table.map(({ name }, index) => [name, values[index] as string]));
}

const VALUE = /^(?:\d+|\d\.\d+|race|N\/A)$/;

function withoutTitle(line: string, title: string): string {
  return ' '.repeat(title.length) + line.slice(title.length);
}

function splitAtEnds(table: StatsTable, text: string): readonly string[] | undefined {
  const values: string[] = [];
  let from = 0;
  /** By how much earlier values were too wide. */
  let shift = 0;
  for (const [index, { end }] of table.entries()) {
    const nextWidth = (table[index + 1]?.end ?? Number.POSITIVE_INFINITY) - end;
    const touching = /^\S*/.exec(text.slice(end + shift))?.[0].length ?? 0;
    // What touches can be the next value only if it fills that column; else this value goes on.
    if (touching < nextWidth) shift += touching;
    values.push(text.slice(from, end + shift).trim());
    from = end + shift;
  }
  return text.slice(from).trim() === '' ? values : undefined;
}
