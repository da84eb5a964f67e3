/**
 * A collapsed profile shaped like a ClickHouse server's: about 20 frames a stack, names of 20 to 400 characters, few
 * roots and many leaves, byte counts over nine decades. The same number of stacks always gives the same bytes.
 */
export function* profileLines(stackCount: number): Generator<string> {
  const random = numbers(7);
  const names = Array.from({ length: 400 + Math.round(stackCount / 12) }, (_, index) =>
    functionName(index, random),
  );
  for (let stack = 0; stack < stackCount; stack += 1) {
    const frames = [
      'clone3',
      'start_thread',
      'void* std::__1::__thread_proxy<std::__1::tuple<> >(void*)',
    ];
    const depth = 8 + Math.floor(random() * 14);
    for (let level = 0; level < depth; level += 1) {
      // Few functions near the root, all of them at the leaves, the first ones far more often.
      const choice = Math.min(names.length, 3 + level ** 3);
      frames.push(names[Math.floor(random() ** 3 * choice)] as string);
    }
    frames.push(
      'Allocator<false, false>::alloc(unsigned long, unsigned long)',
      'je_malloc',
      'prof_backtrace',
    );
    yield `${frames.join(';')} ${Math.floor(10 ** (random() * 9)) + 1}\n`;
  }
}

const SPACES = ['DB', 'DB::MergeTree', 'Poco::Net', 'DB::(anonymous namespace)', 'Coordination'];
const THINGS = [
  'Aggregator',
  'HashJoin',
  'MergeSortingTransform',
  'MergeTask',
  'CompressedReadBuffer',
  'MarkCache',
  'TCPHandler',
  'ColumnString',
  'FlatDictionary',
  'PipelineExecutor',
  'StorageReplicatedMergeTree',
  'ReadBufferFromS3',
];
const DEEDS = [
  'execute',
  'insertFrom',
  'readRows',
  'nextImpl',
  'addBlock',
  'loadMarks',
  'resize',
  'work',
];

function functionName(index: number, random: () => number): string {
  const pick = (words: readonly string[]) => words[Math.floor(random() * words.length)] as string;
  const argument = () =>
    `DB::${pick(THINGS)}<DB::UInt${2 ** (3 + Math.floor(random() * 4))}> const&`;
  const parameters = Array.from({ length: Math.floor(random() * 6) }, argument).join(', ');
  const template = random() < 0.4 ? `<${argument()}, std::__1::allocator<${argument()}> >` : '';
  return `${pick(SPACES)}::${pick(THINGS)}${template}::${pick(DEEDS)}${index}(${parameters})`;
}

/** Numbers in [0, 1), always the same (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same stacks as a heap dump with symbols, in the layout of ClickHouse's `.symbolized`. */
export function* dumpLines(stackCount: number): Generator<string> {
  const addresses = new Map<string, number>();
  const records: string[] = [];
  for (const line of profileLines(stackCount)) {
    const blank = line.lastIndexOf(' ');
    const stack = line
      .slice(0, blank)
      .split(';')
      .map((name) => {
        const address = addresses.get(name) ?? 0x10000 + addresses.size * 16;
        addresses.set(name, address);
        return `0x${address.toString(16)}`;
      });
    const bytes = line.slice(blank + 1, -1);
    records.push(`@ ${stack.reverse().join(' ')}\n  t*: 1: ${bytes} [0: 0]\n`);
  }
  yield '--- symbol\nbinary=/usr/bin/clickhouse\n';
  for (const [name, address] of addresses) {
    // The leaf is listed as it is, callers one before their return address.
    for (const at of [address - 1, address])
      yield `0x${at.toString(16).padStart(16, '0')} ${name}\n`;
  }
  yield '---\n--- heap\nheap_v2/524288\n  t*: 1: 1 [0: 0]\n';
  yield* records;
  yield '\nMAPPED_LIBRARIES:\n';
}
