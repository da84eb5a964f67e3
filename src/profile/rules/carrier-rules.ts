import type { NamedRule } from './named-rule.ts';

/** What carries any work: a connection, a compressed buffer, an expression. Says something only where nothing better does. */
export const carrierRules = [
  {
    subsystem: 'compression',
    words: `
      CompressedReadBuffer* CompressedWriteBuffer* CheckingCompressedReadBuffer ParallelCompressedWriteBuffer
      ICompressionCodec CompressionCodec* LZ4_* LZ4F_* ZSTD_* ZSTDv* zstd* Zstd*Buffer Zlib*Buffer Lz4*Buffer
      Brotli*Buffer Snappy*Buffer HadoopSnappy*Buffer LZMA*Buffer Bzip2*Buffer deflateInit* inflateInit* lzma_*
      BrotliEncoder* BrotliDecoder* snappy NativeCompressed*`,
  },
  {
    subsystem: 'network',
    words: `
      TCPHandler HTTPHandler HTTPRequestHandler* HTTPServer* TCPServer* Poco::Net GRPCServer* grpc grpc_core
      grpc_* MySQLHandler* PostgreSQLHandler* PrometheusRequestHandler InterserverIO* HTMLForm *WebUIRequestHandler
      *QueryHandler StaticRequestHandler Connection ConnectionPool* ConnectionEstablisher* MultiplexedConnections
      HedgedConnections* RemoteQueryExecutor* RemoteSource RemoteSink RemoteTotalsSource RemoteExtremesSource
      RemoteBlockInputStream RemoteInserter PacketReceiver ReadBufferFromPocoSocket* WriteBufferFromPocoSocket*
      WriteBufferFromHTTPServerResponse EndpointConnectionPool HTTPConnectionPool* DNSResolver DNSCacheUpdater
      HostResolver SSL_* ssl_* BIO_* tls_* OPENSSL_* OSSL_* EVP_* X509* ASN1_* ExchangeConnections
      StreamingExchange* ExternalTablesHandler BaseExternalTable`,
  },
  {
    subsystem: 'keeper',
    words: 'Coordination ZooKeeper ZooKeeperWithFaultInjection zkutil ZooKeeperRetriesControl',
  },
  {
    subsystem: 'merges and mutations',
    words: 'MergeTreeBackgroundExecutor BackgroundJobsAssignee BackgroundProcessingPool',
  },
  {
    subsystem: 'reading',
    words: `
      MergeTreeReader* IMergeTreeReader MergeTreeRangeReader MergeTreeReadPool* MergeTreePrefetchedReadPool
      MergeTreeReadersChain MergeTreeReadTask* MergeTreeSource MergeTreeSelectProcessor MergeTreeSelectAlgorithm*
      IMergeTreeSelectAlgorithm MergeTree*SelectAlgorithm MergeTreeBaseSelectProcessor MergeTree*SelectProcessor
      MergeTree*SelectBlockInputStream MergeTreeDataSelectExecutor ReadFromMergeTree LazilyReadFromMergeTree
      LazyMaterializingTransform IMergeTreeDataPart MergeTreeDataPartWide MergeTreeDataPartCompact MergeTreeDataPart
      MergeTreeIndex* IMergeTreeIndex* MergeTreeSkipIndexReader MergeTreePatchReader* MergeTreeBlockSizePredictor
      StorageMemory MemorySource StorageLog LogSource TinyLogSource StripeLogSource StorageMerge ReadFromMerge
      StorageFileSource ReadFromStorage* *DataType*::deserializeBinaryBulk* DataType*::deserialize*
      Serialization*::deserialize* ISerialization SerializationObject* SerializationLowCardinality
      DeserializeBinaryBulkState* ReadBufferFromFile* ReadBufferFromFileBase AsynchronousReadBuffer*
      AsynchronousBoundedReadBuffer CachedOnDiskReadBufferFromFile CachedOnDiskWriteBufferFromFile ThreadPoolReader
      createReadBufferFromFileBase MMapReadBuffer* StorageSystem* *SystemTables* ReadFromSystem* NumbersSource
      NumbersRangedSource StorageFile WriteBufferFromFile* TemporaryFile* TemporaryData* DistributionQueue*`,
  },
  {
    subsystem: 'expressions',
    words: `
      ExpressionActions ExpressionTransform ExpressionBlockInputStream FilterTransform FilterBlockInputStream
      ExpressionAction IExecutableFunction ExecutableFunction* IFunction* PreparedFunctionImpl Function* FunctionCast*
      CastOverloadResolverImpl LLVMFunction LLVMExecutableFunction CHJIT llvm JemallocJITArena
      MaterializingTransform AddingDefaultsTransform AddingDefaultsBlockInputStream ExtremesTransform
      ConvertingTransform ColumnFunction UserDefinedExecutableFunction* WebAssembly* Wasm*`,
  },
  {
    subsystem: 'query planning',
    words: `
      Interpreter* IInterpreterUnionOrSelectQuery executeQuery executeQueryImpl Planner* QueryAnalyzer QueryAnalysisPass
      QueryTreeBuilder QueryTreePassManager buildQueryTree *QueryTreePass IQueryTreeNode QueryNode
      ExpressionAnalyzer SelectQueryExpressionAnalyzer ExpressionActionsChain* TreeRewriter SyntaxAnalyzer
      QueryNormalizer ActionsDAG ActionsVisitor* ActionsMatcher ScopeStack QueryPlan QueryPlanOptimizations
      IQueryPlanStep QueryPipelineBuilder QueryPipeline Pipe ExecutingGraph PipelineExecutor KeyCondition
      MergeTreeWhereOptimizer PartitionPruner JoinOrderOptimizer JoinedTables ExecuteScalarSubqueries* AST* IAST
      ClusterProxy InJoinSubqueriesPreprocessor GlobalSubqueries* ProcessList QueryStatus ThreadStatus ThreadGroup*
      CurrentThread StorageDistributed ParallelReplicasReadingCoordinator`,
  },
  {
    subsystem: 'tables and settings',
    words: `
      DatabaseCatalog DatabaseOnDisk DatabaseOrdinary DatabaseAtomic DatabaseWithOwnTablesBase DatabaseFactory
      TablesLoader AsyncLoader loadMetadata loadMetadataSystem loadSystemDatabaseImpl createTableFromDefinition
      StorageFactory StorageInMemoryMetadata IStorage StorageMergeTree StorageReplicatedMergeTree MergeTreeData
      ColumnsDescription NamesAndTypesList DataTypeFactory attachSystemTables* Context ContextSharedPart
      ContextAccess AccessControl *AccessStorage Settings SettingsProfile* RowPolicyCache RoleCache QuotaCache
      EnabledQuota ConfigProcessor ConfigReloader register* FunctionFactory AggregateFunctionFactory
      Poco::Util Poco::XML DateLUT DateLUTImpl BackgroundSchedulePool BackgroundSchedulePoolTaskInfo`,
  },
] as const satisfies readonly NamedRule[];
