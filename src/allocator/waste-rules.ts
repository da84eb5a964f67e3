/** What usually makes objects of a kind hold slabs, and what usually helps. */
export interface WasteRule {
  readonly name: string;
  /** Matched against the bare names of a holder's frames from the innermost outward; the first frame that any rule knows decides. */
  readonly pattern: RegExp;
  /** Who the objects belong to: "part metadata". */
  readonly holder: string;
  /** What usually causes it, one sentence. */
  readonly cause: string;
  /** What to try, one sentence. */
  readonly tryNext: string;
}

/** In the order in which they are tried on a frame. */
export const wasteRules: readonly WasteRule[] = [
  {
    name: 'part-metadata',
    pattern:
      /MergeTreeDataPart|IMergeTreeDataPart|MergeTreeIndexGranularity|ColumnsDescription|SerializationInfo/,
    holder: 'metadata of MergeTree parts',
    cause:
      'Each part keeps columns, checksums and index in memory for as long as it lives, among objects that are freed at once',
    tryNext:
      'Have fewer parts (larger inserts, fewer partitions), and keep jemalloc_merge_tree_arenas at 1 or more where the server has it',
  },
  {
    name: 'dictionary',
    pattern: /DB::\w*Dictionary\w*::|HashedDictionary|CacheDictionary|ExternalLoader/,
    holder: 'dictionaries',
    cause:
      'A dictionary that reloads builds the new copy beside the old one, so the two lie in the same slabs',
    tryNext:
      'Reload less often (LIFETIME), or use a layout with fewer small objects (hashed_array, flat)',
  },
  {
    name: 'cache',
    pattern:
      /SLRUCachePolicy|LRUCachePolicy|CacheBase|MarkCache|UncompressedCache|QueryResultCache|MMappedFileCache/,
    holder: 'caches',
    cause: 'Cache entries live for hours between objects of queries that live for milliseconds',
    tryNext:
      'Make the cache smaller (mark_cache_size, uncompressed_cache_size, query_cache), or warm it once after a restart instead of under load',
  },
  {
    name: 'system-log',
    pattern: /SystemLog|AsyncLoggingChannel|TextLog|MetricLog/,
    holder: 'buffers of system logs',
    cause:
      'Log rows wait in memory for their flush while the queries that wrote them have freed everything else',
    tryNext:
      'Flush system logs more often (flush_interval_milliseconds) or switch off the ones that nobody reads',
  },
  {
    name: 'memory-table',
    pattern: /StorageMemory|MemorySink|StorageSet|StorageJoin|StorageBuffer|BufferSink/,
    holder: 'tables in memory',
    cause:
      'A table of engine Memory, Set, Join or Buffer keeps the blocks of each insert as they came, small ones as small objects',
    tryNext:
      'Insert larger blocks (min_insert_block_size_rows, async_insert), or rebuild the table by INSERT SELECT into a new one and EXCHANGE TABLES',
  },
  {
    name: 'join-or-aggregation',
    pattern: /HashJoin|JoinStep|Aggregator|AggregatedDataVariants|AggregateFunction/,
    holder: 'states of joins and aggregations',
    cause: 'Long queries keep states of many keys among the blocks that they read and free',
    tryNext:
      'Look for queries that run for hours (memprof top), or let them spill (max_bytes_before_external_group_by)',
  },
  {
    name: 'kafka-or-queue',
    pattern: /Kafka|cppkafka|rdkafka|RabbitMQ|ObjectStorageQueue|S3Queue/,
    holder: 'consumers of queues',
    cause: 'Messages wait in the consumer while blocks of other inserts come and go',
    tryNext: 'Consume in larger batches less often (kafka_max_block_size, kafka_flush_interval_ms)',
  },
  {
    name: 'keeper-client',
    pattern:
      /Coordination::ZooKeeper|zkutil|DDLWorker|ReplicatedMergeTreeQueue|ReplicatedMergeTreeLogEntry/,
    holder: 'replication queues and Keeper watches',
    cause: 'Log entries and watches of many replicated tables live until they are done',
    tryNext: 'Look at system.replication_queue; fewer tables and fewer parts mean fewer entries',
  },
  {
    name: 'insert',
    pattern:
      /PushingToSinks|ExecutingTransform|SquashingTransform|InterpreterInsertQuery|InsertQuery|AsynchronousInsertQueue|SinkToStorage|ExecutingInnerQueryFromView|MaterializedView/,
    holder: 'blocks of inserts',
    cause: 'Small inserts put what is kept next to what is freed with the insert',
    tryNext:
      'Insert larger blocks: batch in the client, async_insert, or min_insert_block_size_rows and _bytes',
  },
  {
    name: 'pipeline',
    pattern:
      /ExpressionTransform|FilterTransform|ISimpleTransform|DB::ConvertingTransform|LimitTransform|MaterializingTransform/,
    holder: 'columns that query pipelines made',
    cause:
      'Columns outlive the query that computed them: an INSERT SELECT or a view hands them on to a table or a buffer in memory, block by block',
    tryNext:
      'Make larger blocks (max_block_size, min_insert_block_size_rows and _bytes), and look who inserts small ones (memprof top)',
  },
  {
    name: 'table-definition',
    pattern:
      /DB::AST[A-Z]|DB::Parser[A-Z]|InterpreterCreateQuery|DatabaseCatalog|StorageFactory|loadMetadata/,
    holder: 'definitions of tables',
    cause:
      'Tables, views and their parsed definitions live until they are dropped, made among objects of queries',
    tryNext:
      'Nothing, when it is little; with very many tables, fewer of them or a restart after the last one was made',
  },
  {
    name: 'start',
    pattern:
      /DB::(?:Local)?Server::|BaseDaemon|register(?:Aggregate)?Functions|FunctionFactory|registerStorages/,
    holder: 'what the server made at its start',
    cause:
      'Registries and configuration live as long as the process, and everything made beside them at the start is gone',
    tryNext: 'Nothing: it does not grow',
  },
  {
    name: 'reading',
    pattern:
      /MergeTreeReader|MergeTreeRangeReader|CompressedReadBuffer|ReadBufferFrom|SourceFromSingleChunk/,
    holder: 'buffers of readers',
    cause: 'Readers of long queries hold their buffers and columns while short ones come and go',
    tryNext:
      'Look for queries that run for hours (memprof top), and lower max_read_buffer_size for many narrow reads',
  },
  {
    name: 'session',
    pattern:
      /NamedSession|HTTPHandler|TCPHandler|DB::Context::|SettingsProfile|AccessControl|ContextAccess/,
    holder: 'sessions, contexts and access rights',
    cause: 'Sessions and cached rights outlive the queries beside which they were made',
    tryNext:
      'Use fewer short sessions (pools in the clients, session_timeout), and fewer users and roles with many grants',
  },
];

/** For holders that no rule knows. */
export const unknownRule: Omit<WasteRule, 'pattern'> = {
  name: 'other',
  holder: 'long-lived objects',
  cause: 'Some objects outlive what was allocated beside them, and each keeps its whole slab',
  tryNext:
    'Look at the flame graph for whoever made them; a restart returns the memory until it comes again',
};
