import type { NamedRule } from './named-rule.ts';

/** Steps of the work that keep data: aggregation, join, an input format. */
export const operatorRules = [
  {
    subsystem: 'aggregation',
    words: `
      Aggregator Aggregating*Transform AggregatingTransform AggregatingStep AggregatingProjectionStep
      AggregatedDataVariants ManyAggregatedData AggregatedData* AggregationMethod* ConvertingAggregatedToChunks*
      MergingAggregated* GroupingAggregatedTransform SortingAggregated* FinalizeAggregatedTransform
      FinishAggregatingInOrder* RollupTransform CubeTransform TotalsHaving* GroupByModifierTransform
      ColumnAggregateFunction AggregateFunction* IAggregateFunction* GroupArray* GroupUniqArray* GroupConcatImpl
      UniquesHashSet UniqExactSet HyperLogLog* CombinedCardinalityEstimator QuantileExact* QuantileTDigest
      QuantileTiming ReservoirSampler* SingleValueData* *AggregatingBlockInputStream
      MergingAggregatedMemoryEfficientBlockInputStream MergingAndConvertingBlockInputStream AggregateFunctions`,
  },
  {
    subsystem: 'sort',
    words: `
      MergeSortingTransform MergeSorter* PartialSortingTransform FinishSortingTransform SortingTransform SortingStep
      MergingSorted* BufferChunksTransform sortBlock stableSortBlock stableGetPermutation SortCursorImpl SortingQueue*
      MergeSorting*BlockInputStream PartialSortingBlockInputStream FinishSortingBlockInputStream
      *SortedAlgorithm *SortedTransform *SortedBlockInputStream CollapsingFinalBlockInputStream IMergingTransform
      IMergingTransformBase FillingTransform`,
  },
  {
    subsystem: 'join',
    words: `
      HashJoin HashJoinMethods* HashJoinResult ConcurrentHashJoin* GraceHashJoin SpillingHashJoin MergeJoin*
      FullSortingMergeJoin PasteJoin* Join JoinSwitcher JoiningTransform FillingRightJoinSideTransform
      DelayedJoinedBlocks* CrossJoinResult IJoin IJoinResult NotJoinedBlocks NotJoinedHash NotJoinedMerge NotJoined*
      NonJoined* StorageJoin DirectKeyValueJoin DirectJoinMergeTreeEntity TableJoin FilledJoinStep JoinStep
      JoinStepLogical JoinLazyColumnsStep JoinUsedFlags JoinStuff RowRefList RowRef SortedLookupVector AddedColumns
      ScatteredBlock RightTableData BuildRuntimeFilter* *RuntimeFilter RuntimeFilterBase ArrayJoin*
      JoinBlockInputStream FullOuterJoin* AsofRowRefs`,
  },
  {
    subsystem: 'distinct and window',
    words: `
      DistinctTransform DistinctSorted* DistinctStep DistinctBlockInputStream DistinctSortedBlockInputStream
      WindowTransform WindowStep WindowFunction* LimitByTransform LimitByStep LimitByBlockInputStream
      LimitBySortedStreamTransform NegativeLimitByTransform IntersectOrExcept* StorageWindowView WatermarkTransform
      PushingToWindowViewSink`,
  },
  {
    subsystem: 'sets of IN',
    words: `
      Set SetVariants* CreatingSet* CreatingSetsTransform CreatingSetsStep DelayedCreatingSetsStep FutureSet*
      PreparedSets* ColumnSet StorageSet SetOrJoinSink CreatingSetsBlockInputStream MergeTreeSetIndex`,
  },
  {
    subsystem: 'inserts',
    words: `
      MergeTreeSink ReplicatedMergeTreeSink* MergeTreeSinkPatch MergeTreeDataWriter MergeTreeDataPartWriter*
      IMergeTreeDataPartWriter MergedBlockOutputStream MergedColumnOnlyOutputStream IMergedBlockOutputStream
      MergeTreeBlockOutputStream ReplicatedMergeTreeBlockOutputStream PushingToViewsBlockOutputStream
      SquashingBlockOutputStream AddingDefaultBlockOutputStream DistributedBlockOutputStream
      SquashingTransform ApplySquashingTransform PlanSquashingTransform SimpleSquashing* Squashing
      AsynchronousInsertQueue WaitForAsyncInsertSource DistributedSink DistributedAsyncInsert* StorageBuffer BufferSink
      MemorySink LogSink SinkToStorage PartitionedSink InterpreterInsertQuery InsertDependenciesBuilder
      ExecutingInnerQueryFromViewTransform FinalizingViewsTransform CheckConstraintsTransform DeduplicationInfo
      MergeTreeIndexAggregator* TCPHandler::processInsertQuery TCPHandler::processUsualInsert*
      StorageMergeTree::write StorageReplicatedMergeTree::write MergeTreeDeduplicationLog BuildTextIndex*
      BuildStatistics* EmbeddedRocksDBSink EmbeddedRocksDBBulkSink`,
  },
  {
    subsystem: 'formats and parsers',
    words: `
      *InputFormat *OutputFormat *InputFormatBase *OutputFormatBase RowInputFormatWithNamesAndTypes
      *RowInputStream *RowOutputStream *SchemaReader *SchemaReaderBase *FormatReader BlockInputStreamFromRowInputStream
      BlockOutputStreamFromRowOutputStream NativeReader NativeWriter NativeBlockInputStream NativeBlockOutputStream
      FormatFactory PeekableReadBuffer ArrowColumnToCHColumn CHColumnToArrowColumn ArrowMemoryPool ORCInputStream*
      ORCBlock* AvroDeserializer AvroSerializer Protobuf* CapnProto* Parquet parquet arrow orc avro simdjson rapidjson
      google::protobuf capnp msgpack JSONColumnsReader Parser* IParser IParserBase IParserDialect* Lexer Tokens
      TokenIterator parseQuery parseQueryAndMovePosition tryParseQuery`,
  },
  {
    subsystem: 'external I/O',
    words: `
      *Kafka* rd_kafka_* rd_kafka* rdkafka cppkafka RabbitMQ* StorageRabbitMQ NATS* StorageNATS ReadBufferFromS3
      WriteBufferFromS3 S3 Aws smithy S3ObjectStorage StorageS3* Azure* *Azure* Azure HDFS* *HDFS* Hdfs hdfs
      StorageURL* IStorageURLBase ReadWriteBufferFromHTTP WriteBufferFromHTTP StorageObjectStorage* ObjectStorageQueue*
      StorageObjectStorageQueue ReadFromObjectStorage* ReadBufferFromRemoteFSGather DiskObjectStorage*
      ThreadPoolRemoteFSReader MetadataStorageFrom* MongoDB* StorageMongoDB mongocxx mongoc* MySQLSource MySQLWithFailoverSource mysqlxx
      PostgreSQL* MaterializedPostgreSQL* pqxx Redis* SQLite* Iceberg* DeltaLake* Paimon* Hudi* DataLake
      rocksdb EmbeddedRocksDB* StorageEmbeddedRocksDB StorageFileLog* FileLog* ShellCommandSource XDBC* YTsaurus*
      Backup* IBackup* RestorerFromBackup`,
  },
] as const satisfies readonly NamedRule[];
