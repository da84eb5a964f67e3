import { ledgerOf } from '../../src/allocator/ledger.ts';
import type { LedgerHistory } from '../../src/chart/ledger-history.ts';
import type {
  CurveRequest,
  DiffRequest,
  FlameRequest,
  LedgerRequest,
  PictureRequest,
  WasteRequest,
} from '../../src/picture-request.ts';
import { GiB, holder, MiB, memoryFacts } from './memory-facts.ts';
import { profileOf } from './profile-of.ts';

/** One request for every kind and variant of picture. */

const START = 1_790_000_000_123_000;
const text = {
  title: 'Live heap at query peak · 8678d8fe',
  subtitle: 'chi-prod-3 · 2.20 GiB · 2026-12-01 11:58:04 UTC · 1 sample ≈ 512 KiB',
  footer: ['Investigation 4f2a', 'ClickHouse 26.7.1', 'symbols by the server'],
};

const PIPELINE =
  'start_thread;ThreadPoolImpl<std::__1::thread>::worker(std::__1::__list_iterator<std::__1::thread, void*>);DB::PipelineExecutor::executeStepImpl(unsigned long, DB::WorkloadResources*);DB::ExecutionThreadContext::executeTask()';
const AGGREGATOR = `${PIPELINE};DB::AggregatingTransform::work();DB::Aggregator::executeOnBlock(DB::Block const&, DB::AggregatedDataVariants&)`;
const ALLOCATOR =
  'Allocator<false, false>::alloc(unsigned long, unsigned long);je_malloc;prof_backtrace';

export const heapStacks: Readonly<Record<string, number>> = {
  [`${AGGREGATOR};DB::Arena::addMemoryChunk(unsigned long);${ALLOCATOR}`]: 910 * MiB,
  [`${AGGREGATOR};HashTable<StringRef, HashMapCell<StringRef, char*, DefaultHash<StringRef>>>::resize(unsigned long);${ALLOCATOR}`]:
    402 * MiB,
  [`${AGGREGATOR};DB::AggregateFunctionUniq<DB::UInt64>::add(char*, DB::IColumn const**);${ALLOCATOR}`]:
    77 * MiB,
  [`${PIPELINE};DB::MergeSortingTransform::consume(DB::Chunk);DB::sortBlock(DB::Block&);DB::ColumnString::permute(DB::PODArray<unsigned long> const&);${ALLOCATOR}`]:
    260 * MiB,
  [`${PIPELINE};DB::JoiningTransform::work();DB::HashJoin::addBlockToJoin(DB::Block const&);${ALLOCATOR}`]:
    120 * MiB,
  'start_thread;DB::MergeTreeBackgroundExecutor<DB::RoundRobinRuntimeQueue>::threadFunction();DB::MergeTask::execute();DB::MergeTreeReaderWide::readRows();DB::CompressedReadBuffer::nextImpl()':
    61 * MiB,
  'start_thread;Poco::ThreadImpl::runnableEntry(void*);DB::TCPHandler::runImpl();DB::MarkCache::getOrSet();DB::MergeTreeMarksLoader::loadMarks()':
    44 * MiB,
  'somebody_elses_code;and_more_of_it': 9 * MiB,
};

const laterStacks = Object.fromEntries(
  Object.entries(heapStacks).map(([stack, bytes], index) => [
    stack,
    bytes * ([1.9, 1, 0.3, 0, 1.12, 2.5, 0.9, 1][index] as number),
  ]),
);

export const heap = profileOf(heapStacks, { sampleCount: 4212, samplingIntervalBytes: 2 ** 19 });
const later = profileOf({
  ...laterStacks,
  'start_thread;DB::ExternalLoader::loadingFunction();DB::FlatDictionary::loadData()': 330 * MiB,
});

/** Names that no writer of symbols thought of. */
export const hostileNames: readonly string[] = [
  '</text></svg><script>alert(1)</script>',
  '" onload="alert(1)',
  "' onmouseover='alert(1)",
  ']]><script>alert(1)</script>',
  '&#0;&nbsp;&lt;',
  'control \u0000\u0001\u0008\u000b\u001b[31m\u007f\u0085 characters',
  'not characters \ufffe\uffff',
  'lone \ud800 surrogates \udfff',
  'right-to-left \u202e\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627',
  'emoji 🔥👩‍👩‍👧 and CJK 内存分析器',
  `a very long name ${'of_many_words '.repeat(800)}`,
  'combining z\u0301\u0327\u0335 marks',
  '',
  ' ',
];

export const flame: FlameRequest = { kind: 'flame', profile: heap, measure: 'bytes', text };

const hostile: FlameRequest = {
  ...flame,
  profile: profileOf(
    Object.fromEntries(
      hostileNames.map((name, index) => [`main;${name};${name}`, 1000 - index * 20]),
    ),
  ),
  text: { title: hostileNames.join(' '), subtitle: hostileNames.join(' '), footer: hostileNames },
};

export const diff: DiffRequest = {
  kind: 'diff',
  before: heap,
  after: later,
  measure: 'bytes',
  names: { before: '11:28:04 UTC', after: '11:58:04 UTC' },
  text: { ...text, title: 'Live heap · chi-prod-3', subtitle: '11:28:04 UTC → 11:58:04 UTC' },
};

const waste: WasteRequest = {
  kind: 'waste',
  profile: heap,
  classes: [1024, 64, 320, 4096, 128, 96, 48, 16, 32, 512, 81_920].map((sizeBytes, index) => ({
    sizeBytes,
    arena: index % 4,
    purpose: index === 3 ? 'mergetree' : '',
    wasteBytes: (200 * MiB) / (index + 1),
    liveBytes: 30 * MiB * (((index * 7) % 5) + 1),
  })),
  text: { ...text, title: 'Slab waste by holder · chi-prod-3' },
};

const points = Array.from({ length: 240 }, (_, index) => ({
  atMicros: START + index * 50_000,
  liveBytes: Math.round(
    GiB * (Math.abs(Math.sin(index / 38)) * (0.5 + index / 160) + (index % 9) / 60),
  ),
}));
const peaks = [points[190]!, points[59]!, points[196]!];

export const curve: CurveRequest = {
  kind: 'curve',
  curve: {
    points,
    peaks,
    startAtMicros: START,
    endAtMicros: START + 12e6,
    serverPeakBytes: 1.81 * GiB,
  },
  estimateBytes: peaks[0]!.liveBytes,
  sampleCount: 4212,
  text: { ...text, title: 'Memory of a query · 8678d8fe' },
};

const facts = memoryFacts(
  {
    rss: 14.3 * GiB,
    resident: 13.1 * GiB,
    active: 11.7 * GiB,
    allocated: 10.9 * GiB,
    tracked: 11.4 * GiB,
    dirty: 0.9 * GiB,
    metadata: 220 * MiB,
    slabWaste: 0.5 * GiB,
    shared: 300 * MiB,
  },
  {
    holders: [
      holder('cache', 3.2 * GiB, { name: 'mark cache' }),
      holder('cache', 2.6 * GiB, { name: 'uncompressed cache' }),
      holder('query', 900 * MiB, { name: 'running queries' }),
      holder('dictionary', 600 * MiB, { name: 'dictionaries' }),
      holder('merge', 200 * MiB, { name: 'merges' }),
      ...[30, 20, 10].map((size) => holder('cache', size * MiB, { name: `cache of ${size}` })),
    ],
  },
);
const history: LedgerHistory = {
  series: (['RSS', 'resident', 'active', 'allocated', 'tracked'] as const).map((level, rank) => ({
    level,
    points: Array.from({ length: 90 }, (_, index) => ({
      atMicros: START + index * 240e6,
      bytes: Math.round((14 - rank * 0.6 + Math.sin(index / 12)) * GiB),
    })),
  })),
  startAtMicros: START,
  endAtMicros: START + 89 * 240e6,
};
const ledger: LedgerRequest = {
  kind: 'ledger',
  levels: ledgerOf(facts).levels,
  history,
  text: { title: 'Memory of chi-prod-3', subtitle: 'RSS 14.30 GiB', footer: ['jemalloc 5.3.0'] },
};
const { history: _, ...ledgerAlone } = ledger;
const exceeded = memoryFacts(
  { rss: 3 * GiB, resident: 2 * GiB, allocated: GiB },
  { holders: [holder('query', 2.5 * GiB), holder('cache', 1.5 * GiB)] },
);

export const pictures: Readonly<Record<string, PictureRequest>> = {
  flame,
  'flame-light': { ...flame, theme: 'light' },
  'flame-root-below': { ...flame, orientation: 'flame' },
  'flame-count': { ...flame, measure: 'count' },
  'flame-raw': { ...flame, raw: true },
  'flame-2400': { ...flame, widthPx: 2400 },
  'flame-weak': {
    ...flame,
    profile: profileOf({ 'DB::Aggregator::execute': 4096 }, { sampleCount: 3 }),
  },
  'flame-empty': { ...flame, profile: profileOf({}) },
  'flame-of-nothing': { ...flame, profile: profileOf({ 'main;idle': 0 }) },
  'flame-hostile': hostile,
  diff,
  'diff-light': { ...diff, theme: 'light', measure: 'count' },
  'diff-of-strangers': { ...diff, after: profileOf({ 'other::main;other::work': 300 * MiB }) },
  'diff-of-nothing': { ...diff, before: profileOf({}), after: profileOf({}) },
  waste,
  'waste-light': { ...waste, theme: 'light' },
  'waste-of-nothing': { ...waste, profile: profileOf({}), classes: [] },
  curve,
  'curve-light': { ...curve, theme: 'light' },
  'curve-weak': {
    ...curve,
    sampleCount: 3,
    curve: {
      ...curve.curve,
      points: [points[60]!, points[120]!, points[190]!],
      peaks: [peaks[0]!],
    },
  },
  'curve-below-zero': {
    ...curve,
    curve: {
      ...curve.curve,
      points: points.map((point) => ({ ...point, liveBytes: point.liveBytes - GiB })),
      peaks: peaks.map((peak) => ({ ...peak, liveBytes: peak.liveBytes - GiB })),
    },
  },
  'curve-empty': {
    ...curve,
    sampleCount: 0,
    curve: { points: [], peaks: [], startAtMicros: START, endAtMicros: START },
  },
  ledger,
  'ledger-light': { ...ledger, theme: 'light' },
  'ledger-alone': ledgerAlone,
  'ledger-exceeded': { ...ledgerAlone, levels: ledgerOf(exceeded).levels },
  'ledger-empty': { ...ledgerAlone, levels: [] },
};
