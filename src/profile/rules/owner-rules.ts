import type { NamedRule } from './named-rule.ts';

/** Whatever runs below, the memory is for this: a merge that sorts is a merge, a cache that reads is a cache. */
export const ownerRules = [
  {
    subsystem: 'caches',
    words: `
      MarkCache UncompressedCache CachedCompressedReadBuffer PageCache QueryCache QueryResultCache*
      StreamInQueryResultCache* ReadFromQueryResultCache* QueryConditionCache* MMappedFileCache PrimaryIndexCache
      VectorSimilarityIndexCache TextIndexHeaderCache TextIndexPostingsCache TextIndexTokensCache
      TextIndexDictionaryBlockCache DeleteBitmapCache ParquetMetadataCache IcebergMetadataFilesCache
      PaimonMetadataFilesCache SchemaCache CompiledExpressionCache SkippingIndexCache CacheBase LRUCache LRUCachePolicy
      SLRUCachePolicy TTLCachePolicy FileCache FileSegment FileSegmentsHolder LRUFileCachePriority
      SLRUFileCachePriority SplitFileCachePriority CacheMetadata LockedKey MergeTreeMarksLoader Stream::loadMarks`,
  },
  {
    subsystem: 'dictionaries',
    words: `
      FlatDictionary HashedDictionary HashedArrayDictionary RangeHashedDictionary CacheDictionary
      CacheDictionaryStorage SSDCacheDictionary SSDCacheDictionaryStorage IPAddressDictionary TrieDictionary
      DirectDictionary RegExpTreeDictionary NaiveBayesDictionary PolygonDictionary* IPolygonDictionary
      ComplexKeyHashedDictionary ComplexKeyCacheDictionary ComplexKeyDirectDictionary HashedDictionaryImpl
      HashedDictionaryParallelLoader DictionaryFactory DictionaryHierarch* ExternalLoader ExternalDictionaries*
      ExternalDictionariesLoader LoadingDispatcher EmbeddedDictionaries RegionsHierarchies RegionsHierarchy
      RegionsNames StorageDictionary *DictionarySource`,
  },
  {
    subsystem: 'part metadata',
    words: `
      IMergeTreeDataPart::load* IMergeTreeDataPart::setColumns IMergeTreeDataPart::calculate*
      IMergeTreeDataPart::getIndex* MergeTreeDataPart::load* MergeTreeDataPart*::load* MergeTreeData::load*
      MergeTreeDataPartChecksums MergeTreeDataPartChecksum MergeTreeIndexGranularity*
      MergeTreePartition::load MinMaxIndex MergeTreeDataPartTTLInfos SerializationInfoByName::readJSON
      ColumnsSubstreams PartLoadingTree VersionMetadata VersionMetadataOnDisk ActiveDataPartSet
      MergeTreeDataPartBuilder DataPartStorageOnDisk* ColumnsStatistics::deserialize`,
  },
  {
    subsystem: 'merges and mutations',
    words: `
      MergeTask MergePlainMergeTreeTask MergeFromLogEntryTask MergeProjectionPartsTask MergeTextIndexesTask
      MutateTask MutatePlainMergeTreeTask MutateFromLogEntryTask MutateAllPartColumnsTask
      MutateSomePartColumnsTask ReplicatedMergeMutateTaskBase MergeTreeDataMergerMutator MutationsInterpreter
      MergeTreeMutationEntry MergeTreeSequentialSource MergeTreeCommitOrderSequentialSource MergePartsStep
      ColumnGathererStream ColumnGathererTransform TTLTransform TTLCalcTransform TTLBlockInputStream
      TTLDeleteFilterTransform StorageMergeTree::merge StorageMergeTree::mergeSelectedParts
      StorageMergeTree::tryMutatePart StorageMergeTree::mutate* StorageReplicatedMergeTree::tryExecuteMerge
      StorageReplicatedMergeTree::executeMerge StorageReplicatedMergeTree::tryExecutePartMutation
      *MergeSelector MergeTreePartsMover MergeList MergeListElement`,
  },
  {
    subsystem: 'replication',
    words: `
      DataPartsExchange ReplicatedMergeTreeQueue ReplicatedMergeTreeLogEntry* StorageReplicatedMergeTree::fetchPart
      ReplicatedMergeTreeCleanupThread ReplicatedMergeTreePartCheckThread ReplicatedMergeTreeRestartingThread
      ReplicatedMergeTreeAttachThread ReplicatedFetchList DDLWorker DatabaseReplicated DatabaseReplicatedDDLWorker`,
  },
  {
    subsystem: 'logs and profiling',
    words: `
      SystemLog SystemLogBase SystemLogQueue SystemLogs PeriodicLog *LogElement AsynchronousMetrics
      ServerAsynchronousMetrics AsynchronousMetricLog MetricLog TransposedMetricLog QueryMetricLog
      QueryMetricLogStatus TraceCollector QueryProfiler* QueryProfilerBase MemoryProfiler SymbolIndex Dwarf
      OwnSplitChannel OwnAsyncSplitChannel OwnFormattingChannel OwnPatternFormatter OwnJSONPatternFormatter
      OwnRunnableForChannel OwnRunnableForTextLog InternalTextLogsQueue LogFrequencyLimiter* OpenTelemetrySpan*
      ProcessorsProfileLog CrashWriter Poco::Logger Poco::Message Poco::AsyncChannel Poco::FileChannel
      Poco::ConsoleChannel Poco::PatternFormatter Poco::LogFile* ProfileEvents::Counters PerfEventsCounters
      JemallocProfileSource StorageSystemJemalloc* StackTraceSource logQueryStart logQueryFinish* logQuery`,
  },
  {
    subsystem: 'keeper',
    words: `
      KeeperStorage KeeperMemoryStorage KeeperRocksStorage KeeperDispatcher KeeperStateMachine IKeeperStateMachine
      KeeperStateManager KeeperServer KeeperLogStore KeeperSnapshotManager* KeeperStorageSnapshot KeeperTCPHandler
      KeeperRequestProcessor* SnapshotableHashTable Changelog ChangelogReader ChangelogWriter LogEntryStorage
      KeeperContext nuraft Coordination::KeeperStorage`,
  },
] as const satisfies readonly NamedRule[];
