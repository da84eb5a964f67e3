/** The beginning of an input, as bytes and as text (one character a byte). */
export interface Head {
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** Something that people hand in for a profile. */
export interface Likeness {
  /** Completes "it looks like …". */
  readonly what: string;
  readonly looksSo: (head: Head) => boolean;
  /** What to do instead, where that is known. */
  readonly fix?: string;
}

function begins(signature: string): Likeness['looksSo'] {
  return ({ text }) => text.startsWith(signature);
}

function matches(pattern: RegExp): Likeness['looksSo'] {
  return ({ text }) => pattern.test(text);
}

function isOneLineWith(pattern: RegExp): Likeness['looksSo'] {
  return ({ text }) => !text.trimEnd().includes('\n') && pattern.test(text);
}

function isJsonWith(...words: readonly string[]): Likeness['looksSo'] {
  return ({ text }) => /^\s*\{/.test(text) && words.every((word) => text.includes(word));
}

const MEMORY_ONLY =
  'memprof reads profiles of memory: collapsed stacks, jemalloc heap dumps, pprof';
const UNPACK = 'Unpack it first, then give what is in it';
const ASK_FOR_LINES = 'Ask again with FORMAT TSVRaw, and nothing but the column with the stacks';
const FROM_JEMALLOC =
  'Take a jemalloc dump instead: SYSTEM JEMALLOC FLUSH PROFILE, or convert this one with pprof -proto';

/** Tried from the top: more telling ones first. */
export const likenesses: readonly Likeness[] = [
  {
    what: 'an ELF program or library',
    looksSo: begins('\x7fELF'),
    fix: 'Give the profile; a binary only adds names to one',
  },
  {
    what: 'a PNG picture',
    looksSo: begins('\x89PNG'),
    fix: 'Give the profile that the picture was drawn from',
  },
  {
    what: 'a JPEG picture',
    looksSo: begins('\xff\xd8\xff'),
    fix: 'Give the profile that the picture was drawn from',
  },
  {
    what: 'a PDF document',
    looksSo: begins('%PDF-'),
    fix: 'Give the profile that it was made from',
  },
  { what: 'a tar archive', looksSo: ({ text }) => text.startsWith('ustar', 257), fix: UNPACK },
  { what: 'data packed by zlib', looksSo: begins('\x78\x9c'), fix: UNPACK },
  { what: 'a zip archive', looksSo: begins('PK\x03\x04'), fix: UNPACK },
  { what: 'a file packed by zstd', looksSo: begins('\x28\xb5\x2f\xfd'), fix: UNPACK },
  { what: 'a file packed by bzip2', looksSo: begins('BZh'), fix: UNPACK },
  { what: 'a file packed by xz', looksSo: begins('\xfd7zXZ'), fix: UNPACK },
  { what: 'a file packed by LZ4', looksSo: begins('\x04\x22\x4d\x18'), fix: UNPACK },
  { what: 'an SQLite database', looksSo: begins('SQLite format 3') },
  { what: 'a heap dump of Java (hprof)', looksSo: begins('JAVA PROFILE'), fix: MEMORY_ONLY },
  {
    what: 'a recording of perf (perf.data)',
    looksSo: begins('PERFILE2'),
    fix: 'Run perf script and stackcollapse on it, then give the collapsed stacks',
  },
  {
    what: 'an SVG picture',
    looksSo: matches(
      /^\s*(?:<\?xml[^>]*>\s*)?(?:(?:<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE svg[^>]*>)\s*)*<svg[\s>]/i,
    ),
    fix: 'Give the profile that the picture was drawn from',
  },
  {
    what: 'a recording of Instruments',
    looksSo: matches(
      /com\.apple\.dt\.instruments|<trace-query-result|^(?:Weight|Bytes Used|Self Weight|Running Time)[^\n]{0,200}\t[^\n]{0,200}Symbol Name/i,
    ),
    fix: MEMORY_ONLY,
  },
  {
    what: 'a web page (HTML)',
    looksSo: matches(
      /^\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!DOCTYPE html|html|head|body)[\s>]/i,
    ),
    fix: 'It may be an error page of whatever served the profile: open it and look',
  },
  { what: 'an XML file', looksSo: matches(/^\s*<\?xml\s/) },
  {
    what: 'a sampling heap profile of V8 (.heapprofile)',
    looksSo: matches(/^\s*\{\s*"head"\s*:\s*\{\s*"callFrame"/),
    fix: 'Open it in the developer tools of Chrome; it is of a JavaScript program, not of ClickHouse',
  },
  {
    what: 'a heap snapshot of V8',
    looksSo: matches(/^\s*\{\s*"snapshot"\s*:\s*\{\s*"meta"/),
    fix: 'Open it in the developer tools of Chrome; it is of a JavaScript program, not of ClickHouse',
  },
  {
    what: 'a CPU profile of V8',
    looksSo: isJsonWith('"callFrame"'),
    fix: MEMORY_ONLY,
  },
  {
    what: 'a file of speedscope',
    looksSo: isJsonWith('speedscope.app'),
    fix: 'Give the profile that it was made from',
  },
  { what: 'a trace of Chrome', looksSo: isJsonWith('"traceEvents"'), fix: MEMORY_ONLY },
  {
    what: 'statistics of jemalloc',
    looksSo: matches(/^\s*(?:___ Begin jemalloc statistics ___|\{\s*"jemalloc"\s*:)/),
    fix: 'memprof stats and memprof frag read those from a server',
  },
  {
    what: 'a heap dump of another jemalloc, in a layout that memprof does not know',
    looksSo: matches(/^(?:heap_v(?!2\/)\d+\/|heap profile:[^\n]*@ heap_v2\/)/),
    fix: 'Convert it with the jeprof that came with that jemalloc: jeprof --collapsed',
  },
  {
    what: 'a heap growth profile of tcmalloc',
    looksSo: matches(/^heap profile:[^\n]*@ growthz?\b/),
    fix: FROM_JEMALLOC,
  },
  {
    what: 'a heap profile of tcmalloc (gperftools)',
    looksSo: matches(/^heap profile:\s*\d+:\s*\d+ \[/),
    fix: FROM_JEMALLOC,
  },
  {
    what: 'a legacy pprof profile (heapz, as Java and C++ servers of Google write it)',
    looksSo: matches(/^--- (?:heapz|heap_v2|growthz?|contentionz?|profile|hprof)\b/),
    fix: 'Convert it with pprof -proto, then give that',
  },
  {
    what: 'the text output of jeprof or pprof',
    looksSo: matches(
      /^(?:Using local file [^\n]*\n)*Total: [\d.]+ (?:[KMG]?B|objects)\b|^[ \t]*flat[ \t]+flat%[ \t]+sum%/,
    ),
    fix: 'Give the heap dump that it was made from, or jeprof --collapsed',
  },
  {
    what: 'an HTTP answer with its headers',
    looksSo: matches(/^HTTP\/\d(?:\.\d)? \d{3}\b/),
    fix: 'Fetch it once more without them: curl without -i',
  },
  {
    what: 'a pointer of Git LFS, which stands for a file',
    looksSo: begins('version https://git-lfs.github.com/spec/'),
    fix: 'Get the file itself: git lfs pull',
  },
  {
    what: 'a table that clickhouse-client drew',
    // UTF-8 of the upper left corner: thin, thick and double.
    looksSo: matches(/^\s*\xe2(?:\x94[\x8c\x8f]|\x95\x94)/),
    fix: ASK_FOR_LINES,
  },
  {
    what: 'lines that were put into one, with “\\n” between them (TSV)',
    looksSo: isOneLineWith(/ \d+\\n[^ ]*;/),
    fix: ASK_FOR_LINES,
  },
  {
    what: 'a gzip file in base64',
    looksSo: matches(/^H4sI[A-Za-z0-9+/\r\n]{20,}={0,2}\s*$/),
    fix: 'Give what base64 -d makes of it',
  },
  {
    what: 'text whose lines end in CR alone, as of old Macs',
    looksSo: isOneLineWith(/ \d+\r[^\n]/),
    fix: "Put newlines there: tr '\\r' '\\n'",
  },
  { what: 'a massif file of Valgrind', looksSo: matches(/^desc: /), fix: MEMORY_ONLY },
  {
    what: 'a callgrind file of Valgrind',
    looksSo: matches(/^(?:# callgrind format|version: \d+\ncreator: )/),
    fix: MEMORY_ONLY,
  },
  {
    what: 'a graph in the language of Graphviz',
    looksSo: matches(/^\s*(?:strict\s+)?digraph\b/),
    fix: 'Give the profile that it was made from',
  },
  {
    what: 'a listing of perf script',
    looksSo: matches(/^\S.{0,200}\s\d+\s+(?:\[\d+\]\s+)?\d+\.\d+:\s.{0,200}:\s*\n\s+[0-9a-f]+\s/),
    fix: 'Run stackcollapse-perf on it, then give the collapsed stacks',
  },
  {
    what: 'an error message of ClickHouse',
    looksSo: matches(/^(?:Received exception|Code: \d+[.,][^\n]*(?:DB::|e\.displayText))/),
    fix: 'Mend what it says, then fetch the profile again',
  },
  {
    what: 'a profile that memprof keeps in its store',
    looksSo: begins('mprf'),
    fix: 'memprof shows it by its investigation: memprof diff, memprof attach',
  },
  { what: 'a JSON file', looksSo: matches(/^\s*(?:\{\s*"|\[\s*[{["\d])/) },
  { what: 'a table (TSV)', looksSo: isTable },
];

/** Lines of the same number of tab-separated columns, three or more, and no stack in them. */
function isTable({ text }: Head): boolean {
  const lines = text.split('\n', 6).filter((line) => line.trim() !== '');
  const columns = new Set(lines.map((line) => line.split('\t').length));
  const [count = 0] = columns;
  return lines.length > 1 && columns.size === 1 && count >= 3 && !text.includes(';');
}
