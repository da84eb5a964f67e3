import { Failure } from '../failure.ts';
import type { AllocatorStats, ArenaStats } from './stats.ts';
import { createArenaReader } from './stats-arena.ts';
import { createGeneralReader } from './stats-general.ts';

const BEGIN = '___ Begin jemalloc statistics ___';
const END = '--- End jemalloc statistics ---';

/**
 * Reads the text of jemalloc's malloc_stats_print, as system.jemalloc_stats, Keeper's `jmst` and /jemalloc/stats give
 * it. Understands what every age of jemalloc 5 prints (src/stats.c) and passes over what it does not know. Throws
 * `unreadable-statistics` when the text is something else or not whole.
 */
export function parseStatsText(text: string): AllocatorStats {
  const begin = text.indexOf(BEGIN);
  if (begin < 0) throw notStatistics(text);
  const end = text.indexOf(END, begin);
  if (end < 0) throw cutOff(text);
  const general = createGeneralReader();
  const sections: Section[] = [];
  let reader: { read(line: string): void } = general;
  for (const line of linesOf(text, begin, end)) {
    const title = SECTION.exec(line)?.[0];
    if (title === undefined) {
      reader.read(line);
      continue;
    }
    const section = { title, ...createArenaReader(indexIn(title)) };
    sections.push(section);
    reader = section;
  }
  return assemble(general, sections);
}

type Section = { readonly title: string } & ReturnType<typeof createArenaReader>;

const MERGED = 'Merged arenas stats:';
const DESTROYED = 'Destroyed arenas stats:';
const SECTION = /^(?:Merged arenas stats|Destroyed arenas stats|arenas\[\d+\]):$/;

function indexIn(title: string): number | undefined {
  const index = /\d+/.exec(title)?.[0];
  return index === undefined ? undefined : Number(index);
}

/** One by one: a text can have megabytes. */
function* linesOf(text: string, begin: number, end: number): Generator<string> {
  for (let from = begin; from < end; ) {
    const lineEnd = text.indexOf('\n', from);
    const to = lineEnd < 0 || lineEnd > end ? end : lineEnd;
    yield text.slice(from, to).replace(/\r$/, '');
    from = to + 1;
  }
}

function assemble(
  general: ReturnType<typeof createGeneralReader>,
  sections: readonly Section[],
): AllocatorStats {
  const totals = general.totals();
  const pageBytes = Number(general.values.get('Page size'));
  const arenasOf = (wanted: (title: string) => boolean): readonly ArenaStats[] =>
    sections.filter(({ title }) => wanted(title)).map(({ arena }) => arena());
  const arenas = arenasOf((title) => title !== MERGED && title !== DESTROYED);
  // jemalloc prints no sum when there is but one arena.
  const merged = arenasOf((title) => title === MERGED)[0] ?? arenas[0];
  if (totals === undefined) throw incomplete('the line of totals ("Allocated: …")');
  if (!(pageBytes > 0)) throw incomplete('the page size');
  if (merged === undefined) throw incomplete('the statistics of arenas');
  const backgroundThreads = general.values.get('Background threads');
  return {
    version: general.values.get('Version') ?? 'unknown',
    options: general.options,
    pageBytes,
    totals,
    backgroundThreads:
      backgroundThreads === undefined ? undefined : Number.parseInt(backgroundThreads, 10),
    mutexes: general.mutexes(),
    merged,
    destroyed: arenasOf((title) => title === DESTROYED)[0],
    arenas,
    unreadLines: sections.reduce((sum, { unreadLines }) => sum + unreadLines(), 0),
  };
}

const NEEDED =
  'memprof reads the full text of jemalloc 5: "SELECT stats FROM system.jemalloc_stats"';

function incomplete(missing: string): Failure {
  return new Failure('unreadable-statistics', {
    what: "The allocator's statistics do not say all that is needed",
    why: `they lack ${missing}`,
    fix: NEEDED,
  });
}

function cutOff(text: string): Failure {
  const lines = text.trimEnd().split('\n');
  const section = lines.findLast((line) => SECTION.test(line.trim()));
  const where = section === undefined ? 'before the first arena' : `in ${section.slice(0, -1)}`;
  return new Failure('unreadable-statistics', {
    what: "The allocator's statistics are cut off",
    why: `the text ends in line ${lines.length}, ${where}, without "${END}"`,
    fix: 'Try again; if it stays, a proxy or a limit on the length of answers is in the way',
  });
}

/** What other texts are told by. */
const LOOKALIKES: readonly { readonly sign: RegExp; readonly name: string }[] = [
  { sign: /^\s*\{\s*"jemalloc"/, name: "jemalloc's JSON form" },
  { sign: /^MALLOC: +\d/m, name: 'the statistics of tcmalloc' },
  { sign: /^\s*<malloc version=/, name: 'the statistics of the C library' },
  { sign: /^heap_v2\/\d+/, name: 'a heap profile' },
  { sign: /^\s*<(?:!doctype|html)/i, name: 'a web page' },
  { sign: /^Code: \d+/, name: 'an error of ClickHouse' },
];

function notStatistics(text: string): Failure {
  const name = LOOKALIKES.find(({ sign }) => sign.test(text))?.name;
  const start = text.slice(0, 60).replace(/\s+/g, ' ').trim();
  return new Failure('unreadable-statistics', {
    what: "The answer is not jemalloc's statistics",
    why:
      start === ''
        ? 'it is empty'
        : `it looks like ${name ?? 'something else'} and begins with "${start}"`,
    fix: NEEDED,
  });
}
