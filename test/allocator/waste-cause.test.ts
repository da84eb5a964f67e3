import { describe, expect, it } from 'vitest';
import { fragmentationOf } from '../../src/allocator/fragmentation.ts';
import { holderName } from '../../src/allocator/holder-name.ts';
import { noAges } from '../../src/allocator/object-age.ts';
import type { SlabBin } from '../../src/allocator/waste.ts';
import { causeOf } from '../../src/allocator/waste-cause.ts';
import { wasteRules } from '../../src/allocator/waste-rules.ts';
import type { OldObjects } from '../../src/allocator/waste-shares.ts';

const bin = (classIndex: number, sizeBytes: number): SlabBin => ({
  ...{ arena: 0, purpose: '', classIndex, sizeBytes },
  ...{ regionsPerSlab: 16, slabCount: 100, liveRegions: 200 },
});

const old = (classIndex: number, stack: string, objectCount: number): OldObjects => ({
  ...{ arena: 0, classIndex, objectCount, sampleCount: 5 },
  stack: stack.split(';'),
  ages: { ...noAges, hours: objectCount },
});

const cause = (...objects: readonly OldObjects[]) =>
  causeOf(
    fragmentationOf({
      binSource: 'jemalloc_arena_bins',
      holderSource: 'jemalloc_sampled_allocations',
      bins: [bin(12, 256), bin(9, 160)],
      oldObjects: objects,
      youngAges: noAges,
    }),
  );

describe('causeOf', () => {
  it('adds the waste of all stacks that one rule knows', () => {
    const found = cause(
      old(12, 'main;DB::MemorySink::consume(DB::Chunk&);DB::ColumnString::insertFrom', 40),
      old(12, 'main;DB::IMergeTreeDataPart::loadColumns(bool)', 60),
      old(9, 'main;DB::MemorySink::onFinish()', 1),
    );
    expect(found?.name).toBe('memory-table');
    expect(found?.evidence.wasteBytes).toBe(1400 * 256 * 0.4 + 1400 * 160);
    expect(found?.evidence).toMatchObject({ sampleCount: 10, age: 'hours', objectCount: 41 });
  });

  it('lets the innermost frame that a rule knows decide', () => {
    expect(cause(old(12, 'DB::HTTPHandler::run;DB::ExpressionTransform::work', 1))?.name).toBe(
      'pipeline',
    );
    expect(cause(old(12, 'DB::HTTPHandler::run;DB::NamedSession::make', 1))?.name).toBe('session');
  });

  it('has a word for holders that no rule knows', () => {
    expect(cause(old(12, 'main;somebody', 1))?.name).toBe('other');
  });

  it('has no word where nobody is known', () => {
    expect(cause()).toBeUndefined();
  });

  it.each([
    ['DB::IMergeTreeDataPart::loadIndex() const', 'part-metadata'],
    ['DB::HashedDictionary<DB::DictionaryKeyType(0), false, false>::loadData()', 'dictionary'],
    ['DB::SLRUCachePolicy<UInt128, DB::MarksInCompressedFile>::set()', 'cache'],
    ['DB::SystemLog<DB::QueryLogElement>::flushImpl()', 'system-log'],
    ['DB::StorageMemory::write()', 'memory-table'],
    ['DB::HashJoin::addBlockToJoin(DB::Block const&, bool)', 'join-or-aggregation'],
    ['DB::KafkaConsumer::consume()', 'kafka-or-queue'],
    ['DB::ReplicatedMergeTreeQueue::load()', 'keeper-client'],
    ['DB::SquashingTransform::onConsume(DB::Chunk)', 'insert'],
    ['DB::ASTSelectQuery::clone() const', 'table-definition'],
    ['DB::MergeTreeReaderWide::readRows()', 'reading'],
    ['DB::ContextAccess::getContextAccess()', 'session'],
    ['DB::Server::main()', 'start'],
  ])('knows %s', (frame, name) => {
    expect(cause(old(12, `main;${frame};operator new(unsigned long)`, 1))?.name).toBe(name);
  });

  it('says for every rule what causes it and what to try', () => {
    for (const rule of wasteRules) {
      expect(rule.cause.length, rule.name).toBeGreaterThan(20);
      expect(rule.tryNext, rule.name).toMatch(/^[A-Z].*[^.]$/);
    }
    expect(new Set(wasteRules.map(({ name }) => name)).size).toBe(wasteRules.length);
  });
});

describe('holderName', () => {
  it.each([
    [
      'main;DB::MemorySink::consume;DB::ColumnString::insertFrom;DB::PODArrayBase::realloc;operator new(unsigned long);je_malloc',
      'DB::MemorySink::consume',
    ],
    [
      'clone3;libchdb.so!sub_1c92aa80;DB::FunctionArray::[virtual #3];DB::ColumnString::[virtual #28];jemalloc!sub_20e33bc0',
      'DB::FunctionArray::[virtual #3]',
    ],
    ['0x7f00;libc.so.6+0x891f4;0x7f01', '0x7f01'],
    ['[other holders]', '[other holders]'],
  ])('of %s is %s', (stack, name) => {
    expect(holderName(stack.split(';'))).toBe(name);
  });
});
