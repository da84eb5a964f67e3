import type { Bytes, Count, Share } from '../units.ts';
import type { Fragmentation } from './fragmentation.ts';
import { type AgeName, addAges, ageNames, noAges } from './object-age.ts';
import { type HeldClass, OTHER_HOLDERS, type WasteHolder } from './waste-shares.ts';

/** What usually makes objects of a kind hold slabs, and what usually helps. */
export interface WasteRule {
  readonly name: string;
  /** Matched against each frame of a holder, outermost to innermost; the first rule that matches speaks. */
  readonly pattern: RegExp;
  /** Who the objects belong to: "part metadata". */
  readonly holder: string;
  /** What usually causes it, one sentence. */
  readonly cause: string;
  /** What to try, one sentence. */
  readonly tryNext: string;
}

/** In the order in which they are tried: what is specific before what stands in nearly every stack. */
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
      /PushingToSinks|ExecutingTransform|SquashingTransform|InterpreterInsertQuery|InsertQuery|AsynchronousInsertQueue|SinkToStorage|MaterializedView/,
    holder: 'blocks of inserts',
    cause: 'Small inserts put what is kept next to what is freed with the insert',
    tryNext:
      'Insert larger blocks: batch in the client, async_insert, or min_insert_block_size_rows and _bytes',
  },
  {
    name: 'session',
    pattern:
      /NamedSession|HTTPHandler|TCPHandler|ContextData|DB::Context::|SettingsProfile|AccessControl|ContextAccess/,
    holder: 'sessions, contexts and access rights',
    cause: 'Sessions and cached rights outlive the queries beside which they were made',
    tryNext:
      'Use fewer short sessions (pools in the clients, session_timeout), and fewer users and roles with many grants',
  },
  {
    name: 'reading',
    pattern:
      /MergeTreeReader|MergeTreeRangeReader|CompressedReadBuffer|ReadBufferFrom|SourceFromSingleChunk|ISource/,
    holder: 'buffers of readers',
    cause: 'Readers of long queries hold their buffers and columns while short ones come and go',
    tryNext:
      'Look for queries that run for hours (memprof top), and lower max_read_buffer_size for many narrow reads',
  },
];

/** For holders that no rule knows. */
const unknownRule: Omit<WasteRule, 'pattern'> = {
  name: 'other',
  holder: 'long-lived objects',
  cause: 'Some objects outlive what was allocated beside them, and each keeps its whole slab',
  tryNext:
    'Look at the flame graph for whoever made them; a restart returns the memory until it comes again',
};

export interface WasteCause extends Omit<WasteRule, 'pattern'> {
  /** The figures that the rule rests on. */
  readonly evidence: {
    readonly wasteBytes: Bytes;
    /** Of all waste in scope. */
    readonly shareOfWaste: Share;
    readonly objectCount: Count;
    readonly sampleCount: Count;
    /** The age that most of the objects have. */
    readonly age: AgeName;
    /** The holder with most of it, and its class. */
    readonly holder: WasteHolder;
    readonly held: HeldClass;
  };
}

/** The rule that speaks for most of the waste; undefined when nobody is known to hold anything. */
export function causeOf({ shares }: Fragmentation): WasteCause | undefined {
  const ruleOf = createRuleFinder();
  const groups = new Map<Omit<WasteRule, 'pattern'>, Held[]>();
  for (const held of shares.classes) {
    for (const holder of held.holders) {
      if (holder.wasteBytes === 0 || holder.stack[0] === OTHER_HOLDERS) continue;
      const rule = ruleOf(holder.stack);
      groups.set(rule, [...(groups.get(rule) ?? []), { held, holder }]);
    }
  }
  const [first] = [...groups].sort(([, a], [, b]) => sumWaste(b) - sumWaste(a));
  if (first === undefined) return undefined;
  const [{ name, holder: who, cause, tryNext }, members] = first;
  return { name, holder: who, cause, tryNext, evidence: evidenceOf(members, shares.totalBytes) };
}

interface Held {
  readonly held: HeldClass;
  readonly holder: WasteHolder;
}

function evidenceOf(members: readonly Held[], totalBytes: Bytes): WasteCause['evidence'] {
  const wasteBytes = sumWaste(members);
  const ages = members.reduce((sum, { holder }) => addAges(sum, holder.ages), noAges);
  const top = members.reduce((most, one) =>
    one.holder.wasteBytes > most.holder.wasteBytes ? one : most,
  );
  return {
    wasteBytes,
    shareOfWaste: totalBytes === 0 ? 0 : wasteBytes / totalBytes,
    objectCount: members.reduce((sum, { holder }) => sum + holder.objectCount, 0),
    sampleCount: members.reduce((sum, { holder }) => sum + holder.sampleCount, 0),
    age: ageNames.reduce((most, name) => (ages[name] > ages[most] ? name : most), ageNames[0]),
    ...top,
  };
}

/** A frame is looked at once, however many stacks it stands in. */
function createRuleFinder(): (stack: readonly string[]) => Omit<WasteRule, 'pattern'> {
  const places = new Map<string, number>();
  const placeOf = (frame: string): number => {
    const known = places.get(frame);
    if (known !== undefined) return known;
    const found = wasteRules.findIndex(({ pattern }) => pattern.test(frame));
    const place = found < 0 ? wasteRules.length : found;
    places.set(frame, place);
    return place;
  };
  return (stack) => wasteRules[Math.min(wasteRules.length, ...stack.map(placeOf))] ?? unknownRule;
}

function sumWaste(members: readonly Held[]): Bytes {
  return members.reduce((sum, { holder }) => sum + holder.wasteBytes, 0);
}
