import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupBySubsystem, subsystemShares } from '../../src/profile/subsystem-shares.ts';
import { classify, UNEXPLAINED } from '../../src/profile/subsystems.ts';
import { trim } from '../../src/profile/trim.ts';
import { foldedOf } from '../support/profile-of.ts';
import { anyTree, sumsOf, treeOf } from '../support/tree-of.ts';

function subsystemOf(stack: string, rules: Parameters<typeof classify>[1] = []): string {
  const tree = treeOf([`${stack} 1`]);
  const { names, ofNode } = classify(tree, rules);
  return names[ofNode[tree.nodeCount - 1] as number] as string;
}

/** Stacks as servers of 18.16 to 26.x give them, shortened to the frames that decide. */
const stacks: readonly (readonly [subsystem: string, stack: string])[] = [
  [
    'aggregation',
    'DB::PipelineExecutor::executeStep(std::__1::atomic<bool>*);DB::AggregatingTransform::work();DB::Aggregator::executeOnBlock(DB::Columns, unsigned long)',
  ],
  ['aggregation', 'DB::AggregatingTransform::[virtual #3]'],
  ['aggregation', '_ZN2DB10Aggregator14executeOnBlockENS_5BlockEmm'],
  [
    'aggregation',
    'DB::ParallelAggregatingBlockInputStream::execute();DB::AggregatedDataVariants::convertToTwoLevel()',
  ],
  [
    'aggregation',
    'void DB::AggregateFunctionUniq<unsigned long, DB::AggregateFunctionUniqExactData<unsigned long, true>>::add(char*, DB::IColumn const**, unsigned long, DB::Arena*) const',
  ],
  [
    'aggregation',
    'DB::GroupArrayNumericImpl<unsigned long, DB::GroupArrayTrait<false, (DB::Sampler)0> >::insertResultInto(char const*, DB::IColumn&) const',
  ],
  ['sort', 'DB::MergeSortingTransform::consume(DB::Chunk)'],
  [
    'sort',
    'DB::PartialSortingTransform::transform(DB::Chunk&);DB::sortBlock(DB::Block&, DB::SortDescription const&, unsigned long)',
  ],
  ['sort', 'DB::MergeSortingBlockInputStream::readImpl()'],
  [
    'join',
    'DB::FillingRightJoinSideTransform::work();DB::HashJoin::addBlockToJoin(DB::Block const&, bool)',
  ],
  ['join', 'DB::ConcurrentHashJoin::addBlockToJoin(DB::Block const&, bool)'],
  ['join', 'DB::Join::insertFromBlock(DB::Block const&)'],
  ['distinct and window', 'DB::DistinctTransform::transform(DB::Chunk&)'],
  ['distinct and window', 'DB::WindowTransform::appendChunk(DB::Chunk&)'],
  [
    'sets of IN',
    'DB::CreatingSetsTransform::consume(DB::Chunk);DB::Set::insertFromBlock(std::__1::vector<DB::ColumnWithTypeAndName> const&)',
  ],
  [
    'merges and mutations',
    'DB::MergePlainMergeTreeTask::executeStep();DB::MergeTask::ExecuteAndFinalizeHorizontalPart::executeImpl();DB::MergingSortedTransform::consume()',
  ],
  [
    'merges and mutations',
    'DB::MutatePlainMergeTreeTask::executeStep();DB::MutateTask::execute();DB::CompressedWriteBuffer::nextImpl()',
  ],
  [
    'merges and mutations',
    'DB::BackgroundProcessingPool::threadFunction();DB::StorageMergeTree::merge(bool, std::string const&, bool)',
  ],
  [
    'inserts',
    'DB::TCPHandler::runImpl();DB::TCPHandler::processInsertQuery(DB::QueryState&);DB::MergeTreeDataWriter::writeTempPart(DB::BlockWithPartition&);DB::CompressedWriteBuffer::nextImpl()',
  ],
  ['inserts', 'DB::AsynchronousInsertQueue::pushDataChunk(std::shared_ptr<DB::IAST>, DB::Chunk)'],
  [
    'part metadata',
    'DB::MergeTreeData::loadDataParts(bool);DB::IMergeTreeDataPart::loadColumnsChecksumsIndexes(bool, bool);DB::IMergeTreeDataPart::loadIndex()',
  ],
  ['part metadata', 'DB::MergeTreeDataPart::loadColumns(bool)'],
  [
    'part metadata',
    'DB::MergeTask::execute();DB::IMergeTreeDataPart::setColumns(DB::NamesAndTypesList const&)',
  ],
  [
    'caches',
    'DB::MergeTreeReaderWide::readRows(unsigned long);DB::MergeTreeMarksLoader::loadMarksImpl()',
  ],
  ['caches', 'DB::MergeTask::execute();DB::UncompressedCache::getOrSet(unsigned long)'],
  ['caches', 'DB::CacheBase<wide::integer<128ul, unsigned int>, DB::MarksInCompressedFile>::set()'],
  ['caches', 'DB::QueryResultCacheWriter::finalizeWrite()'],
  [
    'dictionaries',
    'DB::ExternalLoader::LoadingDispatcher::doLoading();DB::HashedDictionary<(DB::DictionaryKeyType)0, false, false>::loadData();DB::MergeTreeReaderWide::readRows(unsigned long)',
  ],
  ['dictionaries', 'DB::ClickHouseDictionarySource::loadAll()'],
  [
    'formats and parsers',
    'DB::HTTPHandler::handleRequest();DB::ParallelParsingInputFormat::parserThreadFunction();DB::JSONEachRowRowInputFormat::readRow()',
  ],
  ['formats and parsers', 'parquet::arrow::FileReaderImpl::ReadRowGroup(int)'],
  [
    'formats and parsers',
    'DB::ParserSelectQuery::parseImpl(DB::IParser::Pos&, std::shared_ptr<DB::IAST>&, DB::Expected&)',
  ],
  [
    'compression',
    'DB::MergeTreeReaderCompact::readData();DB::CompressedReadBufferFromFile::nextImpl()',
  ],
  [
    'compression',
    'DB::CompressionCodecZSTD::doCompressData(char const*, unsigned int, char*) const;ZSTD_createCCtx_advanced',
  ],
  ['network', 'DB::TCPHandler::runImpl();DB::Connection::receivePacket()'],
  ['network', 'Poco::Net::HTTPServerConnection::run()<00000000000ba6a0>'],
  ['network', 'BIO_new_mem_buf@@OPENSSL_3.0.0<0000000000108b70>'],
  ['external I/O', 'DB::StorageKafka::threadFunc(unsigned long);DB::KafkaConsumer::poll()'],
  ['external I/O', 'rd_kafka_thread_main;rd_kafka_broker_thread_main'],
  ['external I/O', 'DB::MergeTreeSink::consume(DB::Chunk&);DB::WriteBufferFromS3::nextImpl()'],
  ['external I/O', 'Aws::S3::S3Client::GetObject(Aws::S3::Model::GetObjectRequest const&) const'],
  [
    'logs and profiling',
    'DB::SystemLog<DB::QueryLogElement>::savingThreadFunction();DB::MergeTreeDataWriter::writeTempPart()',
  ],
  [
    'logs and profiling',
    'DB::TCPHandler::runImpl();DB::OwnSplitChannel::log(Poco::Message const&)',
  ],
  [
    'logs and profiling',
    'DB::ThreadStatus::ThreadStatus(bool);ProfileEvents::Counters::Counters(VariableContext, ProfileEvents::Counters*)',
  ],
  [
    'logs and profiling',
    'Poco::Logger::get(std::__1::basic_string<char> const&);Poco::Logger::add(Poco::Logger*)',
  ],
  ['replication', 'DB::ReplicatedMergeTreeQueue::load(std::shared_ptr<zkutil::ZooKeeper>)'],
  ['keeper', 'DB::KeeperDispatcher::requestThread::$_0::operator'],
  ['keeper', 'nuraft::buffer::alloc(unsigned long)'],
  [
    'keeper',
    'DB::KeeperStorage::preprocessRequest();DB::SnapshotableHashTable<DB::KeeperStorage::Node>::insert()',
  ],
  ['keeper', 'Coordination::ZooKeeper::receiveThread()'],
  [
    'reading',
    'DB::ReadFromMergeTree::initializePipeline();DB::MergeTreeReaderWide::readRows(unsigned long)',
  ],
  ['reading', '[src/Storages/MergeTree/MergeTreeReaderWide.cpp]'],
  [
    'expressions',
    'DB::ExpressionActions::execute(DB::Block&) const;DB::FunctionToString::executeImpl()',
  ],
  [
    'query planning',
    'DB::executeQuery(std::__1::basic_string<char> const&);DB::InterpreterSelectQueryAnalyzer::execute()',
  ],
  [
    'tables and settings',
    'DB::DatabaseOrdinary::loadTables(DB::Context&);DB::StorageFactory::get()',
  ],
  ['jemalloc', 'background_thread_entry;background_work_sleep_once'],
  ['jemalloc', 'start_thread;malloc_init_hard;base_alloc_impl'],
  [UNEXPLAINED, 'libchdb.so+0x20e3be80;0x00007fedc8cb1454'],
  [
    UNEXPLAINED,
    'start_thread;ThreadPoolImpl<std::__1::thread>::worker();operator new(unsigned long);je_malloc;prof_backtrace',
  ],
];

test.each(stacks)('%s: %s', (subsystem, stack) => {
  expect(subsystemOf(stack)).toBe(subsystem);
});

test('among equally strong frames the deepest decides', () => {
  expect(subsystemOf('DB::HashJoin::joinBlock();DB::Aggregator::executeOnBlock()')).toBe(
    'aggregation',
  );
  expect(subsystemOf('DB::Aggregator::executeOnBlock();DB::HashJoin::joinBlock()')).toBe('join');
});

test('what carries the work says nothing where something better does', () => {
  expect(subsystemOf('DB::Aggregator::executeOnBlock();DB::CompressedReadBuffer::nextImpl()')).toBe(
    'aggregation',
  );
});

test('code that several classes share belongs to none of them', () => {
  expect(subsystemOf('DB::Aggregator::[virtual #3] (shared by 151)')).toBe(UNEXPLAINED);
});

test('types of arguments and of templates decide nothing', () => {
  expect(subsystemOf('DB::copy(DB::Aggregator const&, DB::HashJoin*)')).toBe(UNEXPLAINED);
  expect(subsystemOf('DB::Holder<DB::MarkCache>::reset()')).toBe(UNEXPLAINED);
});

test("a team's own rules come first, the first of them that matches", () => {
  const rules = [
    { subsystem: 'billing', pattern: /Billing/g },
    { subsystem: 'shop', pattern: /Billing|Shop/ },
  ];
  expect(subsystemOf('ShopBilling::f();DB::MergeTask::execute()', rules)).toBe('billing');
  expect(subsystemOf('Shop::f();DB::MergeTask::execute()', rules)).toBe('shop');
  expect(subsystemOf('DB::MergeTask::execute()', rules)).toBe('merges and mutations');
});

test('shares add up to the whole and always name what is unexplained', () => {
  const tree = treeOf(['DB::Aggregator::f() 60', 'DB::HashJoin::f() 40']);
  expect(subsystemShares({ tree }, 'bytes')).toEqual([
    {
      subsystem: 'aggregation',
      bytes: 60,
      count: 2,
      samples: 1,
      errorShare: 1,
      isWeak: true,
      share: 0.6,
    },
    { subsystem: 'join', bytes: 40, count: 2, samples: 1, errorShare: 1, isWeak: true, share: 0.4 },
    {
      subsystem: UNEXPLAINED,
      bytes: 0,
      count: 0,
      samples: 0,
      errorShare: undefined,
      isWeak: true,
      share: 0,
    },
  ]);
});

test('shares by count are of objects', () => {
  const tree = treeOf(['DB::Aggregator::f() 1', 'DB::HashJoin::f() 99'], (bytes) => ({
    count: 100 - bytes,
  }));
  const [first] = subsystemShares({ tree }, 'count');
  expect(first).toMatchObject({ subsystem: 'aggregation', count: 99, share: 0.99 });
});

test('a tree of zeros has shares of nothing', () => {
  expect(subsystemShares({ tree: treeOf(['DB::Aggregator::f() 0']) }, 'bytes')).toMatchObject([
    { subsystem: 'aggregation', share: 0 },
    { subsystem: UNEXPLAINED, share: 0 },
  ]);
});

test('grouping puts the subsystem in front of every stack', () => {
  const tree = treeOf([
    'DB::TCPHandler::run();DB::Aggregator::f() 3',
    'DB::TCPHandler::run() 2',
    ' 1',
  ]);
  expect(foldedOf({ tree: groupBySubsystem(tree) })).toEqual([
    'unexplained 1',
    'network;DB::TCPHandler::run() 2',
    'aggregation;DB::TCPHandler::run();DB::Aggregator::f() 3',
  ]);
});

test('grouping keeps every byte, and each row holds what the shares say', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      const grouped = groupBySubsystem(tree);
      expect(sumsOf(grouped)).toEqual(sumsOf(tree));
      const rows = new Map<string, number>();
      for (const line of foldedOf({ tree: grouped })) {
        const [subsystem = ''] = line.split(/;| \d+$/);
        rows.set(subsystem, (rows.get(subsystem) ?? 0) + Number(line.slice(line.lastIndexOf(' '))));
      }
      for (const { subsystem, bytes } of subsystemShares({ tree }, 'bytes')) {
        expect(rows.get(subsystem) ?? 0).toBe(bytes);
      }
    }),
  );
});

test('trimming first changes no share', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      expect(subsystemShares(trim(tree), 'bytes')).toEqual(subsystemShares({ tree }, 'bytes'));
    }),
  );
});
