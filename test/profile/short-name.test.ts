import { expect, test } from 'vitest';
import { shortenName } from '../../src/profile/short-name.ts';

/** Real names, from stacks of ClickHouse 18.16 to 26.7, its issues, libraries it brings along, and jeprof. */
const names: readonly (readonly [name: string, short: string])[] = [
  ['start_thread', 'start_thread'],
  ['operator new(unsigned long)', 'operator new'],
  ['operator new[](unsigned long)', 'operator new[]'],
  ['operator delete(void*, unsigned long)', 'operator delete'],
  ['StackTrace::StackTrace()', 'StackTrace::StackTrace'],
  ['MemoryTracker::alloc(long)', 'MemoryTracker::alloc'],
  ['DB::Aggregator::executeOnBlock', 'Aggregator::executeOnBlock'],
  [
    'DB::KeeperDispatcher::requestThread::$_0::operator',
    'KeeperDispatcher::requestThread::$_0::operator',
  ],
  ['DB::IMergeTreeDataPart::loadIndex() const', 'IMergeTreeDataPart::loadIndex'],
  ['DB::Block::getNames[abi:cxx11]() const', 'Block::getNames'],
  [
    'DB::ColumnVector<unsigned long>::insertRangeFrom(DB::IColumn const&, unsigned long, unsigned long)',
    'ColumnVector<…>::insertRangeFrom',
  ],
  [
    'Allocator<false, false>::realloc(void*, unsigned long, unsigned long, unsigned long)',
    'Allocator<…>::realloc',
  ],
  [
    'void* (anonymous namespace)::allocNoTrack<false, false>(unsigned long, unsigned long)',
    'allocNoTrack<…>',
  ],
  [
    'void DB::(anonymous namespace)::insertPostingList(DB::PostingListBuilder&, DB::Arena&)',
    'insertPostingList',
  ],
  [
    'void DB::PODArrayBase<8ul, 4096ul, Allocator<false, false>, 15ul, 16ul>::reserve<>(unsigned long) (.part.0)',
    'PODArrayBase<…>::reserve<…>',
  ],
  [
    'DB::GroupArrayNumericImpl<unsigned long, DB::GroupArrayTrait<false, (DB::Sampler)0> >::insertResultInto(char const*, DB::IColumn&) const',
    'GroupArrayNumericImpl<…>::insertResultInto',
  ],
  [
    'std::__1::deque<DB::PipelineExecutor::ExecutionState*, std::__1::allocator<DB::PipelineExecutor::ExecutionState*> >::__add_back_capacity()',
    'std::deque<…>::__add_back_capacity',
  ],
  [
    'ThreadPoolImpl<std::__1::thread>::worker(std::__1::__list_iterator<std::__1::thread, void*>)',
    'ThreadPoolImpl<…>::worker',
  ],
  [
    'void* std::__1::__thread_proxy[abi:ne190107]<std::__1::tuple<std::__1::unique_ptr<std::__1::__thread_struct>, void (ThreadPoolImpl<std::__1::thread>::ThreadFromThreadPool::*)()>>(void*)',
    'std::__thread_proxy<…>',
  ],
  [
    "void std::__1::__function::__policy_invoker<void ()>::__call_impl<std::__1::__function::__default_alloc_func<ThreadFromGlobalPoolImpl<false, true>::ThreadFromGlobalPoolImpl<void (DB::SystemLog<DB::QueryLogElement>::*)()>(void (&&)())::'lambda'(), void ()>>(std::__1::__function::__policy_storage const*)",
    'std::__function::__policy_invoker<…>::__call_impl<…>',
  ],
  [
    "DB::MergeTreeData::loadDataParts(bool)::'lambda'()::operator()() const",
    'MergeTreeData::loadDataParts::lambda::operator()',
  ],
  [
    "void (anonymous namespace)::f<'\\''>(char const*)::'lambda'(auto&&)::operator()<int>(auto&&) const",
    'f<…>::lambda::operator()<…>',
  ],
  [
    'DB::KeeperStorage::addDigest(unsigned long)::$_3::operator()(DB::KeeperStorage::Delta const&) const',
    'KeeperStorage::addDigest::$_3::operator()',
  ],
  [
    'DB::MergeTask::execute()::{lambda(unsigned long)#2}::operator()(unsigned long) const',
    'MergeTask::execute::lambda::operator()',
  ],
  [
    'auto DB::DDLWorker::runMainThread()::(anonymous class)::operator()() const',
    'DDLWorker::runMainThread::lambda::operator()',
  ],
  [
    'auto DB::HashedDictionary<DB::DictionaryKeyType::Simple, false, true>::createAttributes()::(anonymous class)::operator()(const auto &) const [dictionary_key_type = DB::DictionaryKeyType::Simple]',
    'HashedDictionary<…>::createAttributes::lambda::operator()',
  ],
  [
    'MergeTreeWhereOptimizer::Conditions DB::MergeTreeWhereOptimizer::analyze(const RPNBuilderTreeNode &, const WhereOptimizerContext &) const',
    'MergeTreeWhereOptimizer::analyze',
  ],
  [
    'static std::shared_ptr<ColumnStatistics> DB::ColumnStatistics::deserialize(ReadBuffer &, const DataTypePtr &)',
    'ColumnStatistics::deserialize',
  ],
  [
    'std::__1::basic_ostream<char, std::__1::char_traits<char>>& std::__1::operator<<<std::__1::char_traits<char>>(std::ostream&, char const*)',
    'std::operator<<<…>',
  ],
  [
    'std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)',
    'std::operator<<<…>',
  ],
  ['bool DB::operator< <int>(DB::Decimal<int> const&, DB::Decimal<int> const&)', 'operator<<…>'],
  ['DB::Iter::operator--()', 'Iter::operator--'],
  ['DB::ReadBuffer::operator->() const', 'ReadBuffer::operator->'],
  ['DB::Settings::operator=(DB::Settings&&)', 'Settings::operator='],
  [
    'DB::ColumnAggregateFunction::operator[](unsigned long) const',
    'ColumnAggregateFunction::operator[]',
  ],
  ['DB::SettingFieldNumber<bool>::operator bool() const', 'SettingFieldNumber<…>::operator bool'],
  ['DB::Field::operator std::__1::function<void ()>() const', 'Field::operator std::function<…>'],
  [
    'decltype(auto) DB::callOnIndexAndDataType<DB::DataTypeDate, int>(DB::TypeIndex, int&&)',
    'callOnIndexAndDataType<…>',
  ],
  [
    'std::__1::enable_if<((1)<(2)), int>::type DB::FunctionIf<(8>4)>::execute(int)',
    'FunctionIf<…>::execute',
  ],
  ['non-virtual thunk to DB::ReadBufferFromS3::nextImpl()', 'ReadBufferFromS3::nextImpl'],
  ['DB::AggregatingTransform::[virtual #3]', 'AggregatingTransform::[virtual #3]'],
  ['DB::ISource::[virtual #3] (shared by 151)', 'ISource::[virtual #3]'],
  ['[src/Functions/CRC.cpp]', '[src/Functions/CRC.cpp]'],
  ['libchdb.so+0x20e3be80', 'libchdb.so+0x20e3be80'],
  ['0x00007fedc8cb1454', '0x00007fedc8cb1454'],
  ['BIO_gets@@OPENSSL_3.0.0<0000000000108b70>', 'BIO_gets'],
  [
    'Poco::Net::TCPServerDispatcher::run()<000000000010ce20>',
    'Poco::Net::TCPServerDispatcher::run',
  ],
  [
    'Poco::Logger::unsafeGet(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&)<00000000000fcb30>',
    'Poco::Logger::unsafeGet',
  ],
  ['clickhouse#DB::TCPHandler::runImpl()', 'TCPHandler::runImpl'],
  ['rd_kafka_msgq_enq.constprop.0', 'rd_kafka_msgq_enq'],
  ['DB::parseQuery(DB::IParser&, char const*, char const*) [clone .cold]', 'parseQuery'],
  ['<T as core::fmt::Display>::fmt', '<T as core::fmt::Display>::fmt'],
  ['[unknown]', '[unknown]'],
  ['do_idle_[k]', 'do_idle_[k]'],
  ['??', '??'],
  ['DB::', 'DB::'],
  ['', ''],
];

test.each(names)('%s is shown as %s', (name, short) => {
  expect(shortenName(name)).toBe(short);
});

test('a name that was cut off inside of a template is shown up to there', () => {
  expect(shortenName('DB::HashTable<unsigned long, DB::HashMapCell<unsigned lo')).toBe(
    'HashTable<…>',
  );
});

test.each([
  ['closed by what was never opened', 'a::', '(', ']', 'a::'],
  ['opened and never closed', 'a::', '<(', '', 'a::<…>'],
  ['with template after template', 'a', '::b<>', '', `a${'::b<…>'.repeat(1_000_000 / 5)}`],
  ['with slot after slot', 'a::', '[virtual #3]', '', 'a::[virtual #3]'],
])('a name of a megabyte %s takes one pass', (_, start, piece, ending, short) => {
  const times = 1_000_000 / piece.length;
  const name = start + piece.repeat(times) + ending.repeat(times);
  expect(shortenName(name) === short).toBe(true);
});

test.each([
  ['_Znwm', 'operator new'],
  ['_ZdaPv', 'operator delete[]'],
  ['_ZN2DB10Aggregator14executeOnBlockENS_5BlockEmm', 'Aggregator::executeOnBlock'],
  ['_ZNK2DB10Aggregator5mergeEv.llvm.1234567', 'Aggregator::merge'],
  ['_ZThn16_N2DB10Aggregator5mergeEv', 'Aggregator::merge'],
  [
    '_ZN2DB12PODArrayBaseILm8ELm4096E9AllocatorILb0ELb0EELm15ELm16EE7reserveIJEEEvmDpOT_',
    'PODArrayBase<…>::reserve<…>',
  ],
  ['_ZN2DB12_GLOBAL__N_16HiddenC2Ei', 'Hidden::Hidden'],
  ['_ZN2DB4PoolISt6threadLNS_4KindE1ELi3EED0Ev', 'Pool<…>::~Pool'],
  ['_ZN2DB5Block8getNamesB5cxx11Ev', 'Block::getNames'],
  [
    '_ZSt4moveIRNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEEONSt16remove_referenceIT_E4typeEOS8_',
    'std::move<…>',
  ],
  ['_ZZNK2DB10Aggregator5mergeEvENKUlvE0_clEv', 'Aggregator::merge::lambda::operator()'],
  [
    '_ZZN2DB4PoolISt6threadLNS_4KindE1ELi3EE8scheduleIZNKS_10Aggregator5mergeEvEUlvE0_EEvOT_ENUlS8_E_clIiEEDaS8_',
    'Pool<…>::schedule<…>::lambda::operator()<…>',
  ],
  ['_ZZN2DB3runEvE5cache', 'run::cache'],
  [
    '_ZNSt3__117basic_string_viewIcNS_11char_traitsIcEEEpLEc',
    'std::basic_string_view<…>::operator+=',
  ],
])('%s, which no server took apart, is %s', (name, short) => {
  expect(shortenName(name)).toBe(short);
});

test.each([
  '_Z',
  '_ZN',
  '_ZN2DB',
  '_ZN99999DBE',
  '_ZTV4Foo',
  '_ZN3FooIXsr3barE3bazEEv',
  '_ZN3FoocvbEv',
  '_zend_new',
])('%s stays as it came: it is not known to be a function of another name', (name) => {
  expect(shortenName(name)).toBe(name);
});

test('a mangled name that would take gigabytes written out stays short', () => {
  const doubled = (n: number) => `1BIS${n}_S${n}_E`;
  const name = `_ZN2DB1fE1A${Array.from({ length: 2000 }, (_, n) => doubled(n)).join('')}`;
  expect(shortenName(name.slice(0, 16_000))).toBe('f');
  expect(shortenName(name)).toBe(name);
  expect(shortenName(`_Z${'Z'.repeat(10_000)}1fvE`)).toMatch(/^_ZZ/);
});

test.each([
  ['DB::run()::{lambda()#1}*& std::_Any_data::_M_access<int>()', 'std::_Any_data::_M_access<…>'],
  ["DB::run()::'lambda'() const& std::__1::forward<int>(int)", 'std::forward<…>'],
  ['DB::run(int) const [clone .cold]', 'run'],
  ['DB::run(int) noexcept(true)', 'run'],
  ['DB::run(int) const at run.cpp:12', 'run'],
])('%s is %s: a type of a function comes before its name', (name, short) => {
  expect(shortenName(name)).toBe(short);
});
